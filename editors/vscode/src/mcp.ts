import * as vscode from 'vscode';
import { findBinary, MissingBinary } from './binary';
import type { Log } from './log';

/** Offers the MCP server to VS Code, once for each folder. */
export function registerMcpServers(context: vscode.ExtensionContext, log: Log): vscode.Disposable {
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- other products lack the API
  if (vscode.lm?.registerMcpServerDefinitionProvider === undefined) {
    return new vscode.Disposable(() => undefined);
  }
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      changed.fire();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('acode.server.path')) {
        changed.fire();
      }
    }),
    vscode.lm.registerMcpServerDefinitionProvider('acode.mcp', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => definitions(context, log),
    }),
  );
}

async function definitions(
  context: vscode.ExtensionContext,
  log: Log,
): Promise<vscode.McpStdioServerDefinition[]> {
  let command: string;
  try {
    command = await findBinary(context);
  } catch (error) {
    if (!(error instanceof MissingBinary)) {
      throw error;
    }
    log.warn(`no MCP server: ${error.message}`);
    return [];
  }
  const { version } = context.extension.packageJSON as { version: string };
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return folders.map(({ name, uri }) => {
    const label = folders.length === 1 ? 'Acode' : `Acode: ${name}`;
    const server = new vscode.McpStdioServerDefinition(
      label,
      command,
      ['--root', uri.fsPath, 'mcp'],
      {},
      version,
    );
    server.cwd = uri;
    return server;
  });
}
