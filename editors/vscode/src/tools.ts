import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { Server } from './client';
import {
  type ArtifactParams,
  ArtifactRequest,
  type EditParams,
  EditRequest,
  type PieceEdit,
  type ReadParams,
  ReadRequest,
  type StateParams,
  StateRequest,
} from './protocol';
import { ToolSession } from './toolSession';
import { artifactText, editText, stateSummary } from './toolText';

interface Selection {
  start_line?: number;
  end_line?: number;
  start_byte?: number;
  end_byte?: number;
}

interface ReadInput extends Selection {
  path: string;
}

interface EditInput {
  path: string;
  edits: {
    old_text?: string;
    new_text?: string;
    replace_all?: boolean;
    start_line?: number;
    end_line?: number;
  }[];
  expected_sha256?: string;
  dry_run?: boolean;
}

interface ArtifactInput extends Selection {
  id: string;
  query?: string;
}

interface StateInput {
  path?: string;
}

/** Offers the server's requests to agents inside VS Code. */
export function registerTools(server: Server): vscode.Disposable {
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- other products lack the API
  if (vscode.lm?.registerTool === undefined) {
    return new vscode.Disposable(() => undefined);
  }
  const session = new ToolSession(server);
  const tool = <Input>(
    name: string,
    run: (input: Input, token: vscode.CancellationToken) => Promise<string>,
    prepare: (input: Input) => vscode.PreparedToolInvocation,
  ) =>
    vscode.lm.registerTool<Input>(name, {
      prepareInvocation: ({ input }) => prepare(input),
      invoke: async ({ input }, token) => {
        return new vscode.LanguageModelToolResult([
          new vscode.LanguageModelTextPart(await run(input, token)),
        ]);
      },
    });
  return vscode.Disposable.from(
    tool<ReadInput>(
      'acode_read',
      async ({ path, ...part }, token) => {
        const params: ReadParams = {
          session: await session.id(),
          textDocument: { uri: await fileUri(path) },
          ...selection(part),
        };
        return (await server.request(ReadRequest, params, token)).content;
      },
      ({ path }) => ({ invocationMessage: `Reading ${path}` }),
    ),
    tool<EditInput>(
      'acode_edit',
      async ({ path, edits, expected_sha256: expectedSha256, dry_run: dryRun = false }, token) => {
        const params: EditParams = {
          session: await session.id(),
          textDocument: { uri: await fileUri(path) },
          edits: edits.map(pieceEdit),
          dryRun,
          label: 'Edit of an agent in VS Code',
          ...(expectedSha256 !== undefined && { expectedSha256 }),
        };
        return editText(await server.request(EditRequest, params, token), dryRun);
      },
      ({ path, edits, dry_run: dryRun = false }) => ({
        invocationMessage: dryRun ? `Checking an edit of ${path}` : `Editing ${path}`,
        ...(!dryRun && {
          confirmationMessages: {
            title: 'Edit a file',
            message: `Make ${edits.length === 1 ? 'one change' : `${edits.length} changes`} to ${path}? Changes to lines the agent has not read are refused.`,
          },
        }),
      }),
    ),
    tool<ArtifactInput>(
      'acode_get_artifact',
      async ({ id, query, ...part }, token) => {
        const params: ArtifactParams = {
          session: await session.id(),
          id,
          ...selection(part),
          ...(query !== undefined && { query }),
        };
        return artifactText(await server.request(ArtifactRequest, params, token));
      },
      ({ id }) => ({ invocationMessage: `Fetching artifact ${id}` }),
    ),
    tool<StateInput>(
      'acode_state',
      async ({ path }, token) => {
        const params: StateParams = { session: await session.id() };
        if (path !== undefined) {
          params.textDocument = { uri: await fileUri(path) };
        }
        return stateSummary(await server.request(StateRequest, params, token), (uri) =>
          vscode.workspace.asRelativePath(vscode.Uri.parse(uri)),
        );
      },
      () => ({ invocationMessage: 'Looking up what was read' }),
    ),
  );
}

function selection({ start_line, end_line, start_byte, end_byte }: Selection) {
  return {
    ...(start_line !== undefined && { startLine: start_line }),
    ...(end_line !== undefined && { endLine: end_line }),
    ...(start_byte !== undefined && { startByte: start_byte }),
    ...(end_byte !== undefined && { endByte: end_byte }),
  };
}

function pieceEdit({ old_text, new_text, replace_all, ...lines }: EditInput['edits'][number]): PieceEdit {
  return {
    ...(old_text !== undefined && { oldText: old_text }),
    ...(new_text !== undefined && { newText: new_text }),
    ...(replace_all !== undefined && { replaceAll: replace_all }),
    ...selection(lines),
  };
}

/** The file a model means: in the folder that has it, else to be made in the first. */
async function fileUri(path: string): Promise<string> {
  if (isAbsolute(path)) {
    return vscode.Uri.file(path).toString();
  }
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const [first] = folders;
  if (!first) {
    throw new Error(`${path} is relative to a workspace folder, and none is open.`);
  }
  const candidates = folders.map(({ uri }) => vscode.Uri.joinPath(uri, path));
  const [name = '', ...rest] = path.split('/');
  const named = folders.length > 1 ? folders.find((folder) => folder.name === name) : undefined;
  if (named && rest.length > 0) {
    candidates.push(vscode.Uri.joinPath(named.uri, ...rest));
  }
  for (const uri of candidates) {
    const found = await vscode.workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (found) {
      return uri.toString();
    }
  }
  return (candidates[folders.length] ?? vscode.Uri.joinPath(first.uri, path)).toString();
}
