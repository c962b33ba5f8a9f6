import * as vscode from 'vscode';
import { Agents } from './agents';
import { ArtifactsTree } from './artifactsTree';
import { AwarenessTree } from './awarenessTree';
import { updateLastingBinary } from './binary';
import { errorText, Server } from './client';
import { registerCommands } from './commands';
import { Decorations } from './decorations';
import { Log } from './log';
import { registerMcpServers } from './mcp';
import { Refusals } from './refusals';
import { setting } from './settings';
import { StatusBar } from './statusBar';
import { registerTools } from './tools';
import { Views } from './views';

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = new Log(vscode.window.createOutputChannel('acode-ls', { log: true }));
  server = new Server(context, log);
  const views = new Views(server, log);
  const decorations = new Decorations(views, context.workspaceState);
  const awareness = new AwarenessTree(server, log);
  const artifacts = new ArtifactsTree(server, log);
  const agents = new Agents(context);
  const parts = { context, log, server, agents, decorations, awareness, artifacts };
  context.subscriptions.push(
    log,
    server,
    views,
    decorations,
    awareness,
    artifacts,
    new StatusBar(server, views),
    new Refusals(server, log),
    agents.register(),
    vscode.window.createTreeView('acode.awareness', { treeDataProvider: awareness, showCollapseAll: true }),
    artifacts.show(),
    registerCommands(parts),
    ...follow(server),
  );
  whenTrusted(context, () => [registerTools(parts.server), registerMcpServers(context, log)]);
  void server.restart();
  void updateLastingBinary(context).catch((error: unknown) => {
    log.warn(`updating the program that agents start: ${errorText(error)}`);
  });
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** Keeps the server as the settings and folders want it. */
function follow(running: Server): vscode.Disposable[] {
  const setState = () => {
    void vscode.commands.executeCommand('setContext', 'acode.serverState', running.state);
  };
  setState();
  return [
    running.onDidChangeState(setState),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      // The client tells a server that runs of the folders itself.
      if (running.state === 'noFolder' || running.state === 'failed') {
        void running.restart();
      }
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('acode.server')) {
        void running.restart();
        return;
      }
      if (event.affectsConfiguration('acode.session') && setting('session') === '') {
        void running.execute('acode.selectSession', { session: '' }).then(undefined, () => undefined);
      }
      if (event.affectsConfiguration('acode')) {
        void running.sendSettings();
      }
    }),
  ];
}

/** Agents get nothing in a workspace that is not trusted. */
function whenTrusted(context: vscode.ExtensionContext, register: () => vscode.Disposable[]): void {
  if (vscode.workspace.isTrusted) {
    context.subscriptions.push(...register());
    return;
  }
  context.subscriptions.push(
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      context.subscriptions.push(...register());
    }),
  );
}
