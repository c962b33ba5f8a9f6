import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Agents } from './agents';
import type { ArtifactsTree } from './artifactsTree';
import type { AwarenessTree, FileNode, RangeNode, SessionNode } from './awarenessTree';
import { errorText, type Server } from './client';
import type { Decorations } from './decorations';
import { collectDiagnostics } from './diagnostics';
import { neighbour } from './lineEdits';
import type { Log } from './log';
import { type ArtifactInfo, type LineRange, SessionsRequest, ViewRequest } from './protocol';
import { goTo, moveTo } from './reveal';
import { ageText, counted, sessionText } from './text';

export interface Parts {
  context: vscode.ExtensionContext;
  log: Log;
  server: Server;
  agents: Agents;
  decorations: Decorations;
  awareness: AwarenessTree;
  artifacts: ArtifactsTree;
}

/** Registers the commands. Their names differ from those of the server, which the client registers. */
export function registerCommands(parts: Parts): vscode.Disposable {
  const { context, log, server, agents, decorations, awareness, artifacts } = parts;
  const followLatest = async () => selectSession(parts, '');
  return vscode.Disposable.from(
    command('acode.agent.connect', async () => agents.connect()),
    command('acode.unread.next', async () => goToUnread(server, 'next')),
    command('acode.unread.previous', async () => goToUnread(server, 'previous')),
    command('acode.unread.show', () => {
      decorations.setShown(true);
    }),
    command('acode.unread.hide', () => {
      decorations.setShown(false);
    }),
    command('acode.session.choose', async () => chooseSession(parts)),
    command('acode.session.select', async (node: SessionNode) => selectSession(parts, node.session.id)),
    command('acode.session.followLatest', followLatest),
    command('acode.awareness.refresh', () => {
      awareness.refresh();
    }),
    command('acode.file.forget', async ({ session, file }: FileNode) => {
      await server.execute('acode.forget', { session, uri: file.uri });
      awareness.refresh();
    }),
    command('acode.range.open', async ({ uri, ...range }: LineRange & { uri: string }) => goTo(uri, range)),
    command('acode.range.markRead', async ({ session, uri, range }: RangeNode) => {
      await server.execute('acode.markRead', { session, uri, ranges: [range] });
      awareness.refresh();
    }),
    command('acode.artifacts.refresh', () => {
      artifacts.refresh();
    }),
    command('acode.artifact.open', async ({ uri }: ArtifactInfo) => {
      await vscode.window.showTextDocument(vscode.Uri.parse(uri));
    }),
    command('acode.artifact.export', async (artifact: ArtifactInfo) => exportArtifact(server, artifact)),
    command('acode.artifact.remove', async (artifact: ArtifactInfo) => {
      const what = artifact.summary === '' ? artifact.id : artifact.summary;
      const detail = 'The agent can no longer fetch it.';
      if (await vscode.window.showWarningMessage(`Delete "${what}"?`, { modal: true, detail }, 'Delete')) {
        await server.execute('acode.removeArtifact', { id: artifact.id });
        artifacts.refresh();
      }
    }),
    command('acode.artifact.copyId', async ({ id }: ArtifactInfo) => {
      await vscode.env.clipboard.writeText(id);
    }),
    command('acode.server.restart', async () => server.restart()),
    command('acode.server.showLog', () => {
      log.show();
    }),
    command('acode.diagnostics.collect', async () => collectDiagnostics(context, server, log)),
  );

  /** A command whose failure the person is told of. */
  function command(id: string, run: (...args: never[]) => unknown): vscode.Disposable {
    return vscode.commands.registerCommand(id, async (...args: never[]) => {
      try {
        await run(...args);
      } catch (error) {
        log.error(`${id}: ${errorText(error)}`);
        if ((await vscode.window.showErrorMessage(errorText(error), 'Show Log')) !== undefined) {
          log.show();
        }
      }
    });
  }
}

async function goToUnread(server: Server, direction: 'next' | 'previous'): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return;
  }
  const { document, selection } = editor;
  const view = await server.request(ViewRequest, { textDocument: { uri: document.uri.toString() } });
  if (!view) {
    void vscode.window.showInformationMessage('No agent has read this file.');
    return;
  }
  const range = neighbour(view.unread, selection.active.line + 1, direction);
  if (range) {
    moveTo(editor, range.startLine);
  } else {
    void vscode.window.showInformationMessage('The agent has read all of this file.');
  }
}

async function selectSession({ server, awareness, artifacts }: Parts, session: string): Promise<void> {
  await server.execute('acode.selectSession', { session });
  awareness.refresh();
  artifacts.refresh();
}

async function chooseSession(parts: Parts): Promise<void> {
  const { sessions } = await parts.server.request(SessionsRequest, {});
  const latest = { label: '$(history) Follow the latest session', description: '', id: '' };
  const choice = await vscode.window.showQuickPick(
    [
      latest,
      ...sessions.map((session) => ({
        label: `${session.selected === true ? '$(pinned) ' : ''}${sessionText(session)}`,
        description: [session.id, counted(session.files, 'file'), ageText(session.lastUsed, new Date())].join(
          ' · ',
        ),
        id: session.id,
      })),
    ],
    { title: 'Session to Show', placeHolder: 'Whose reads the editor shows', matchOnDescription: true },
  );
  if (choice) {
    await selectSession(parts, choice.id);
  }
}

async function exportArtifact(server: Server, { id, uri }: ArtifactInfo): Promise<void> {
  const name = basename(vscode.Uri.parse(uri).path);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: 'Export Artifact',
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (!target) {
    return;
  }
  if (target.scheme !== 'file') {
    throw new Error(`An artifact can be exported to a file, not to ${target.toString()}.`);
  }
  // The dialog has asked whether to overwrite.
  await server.execute('acode.exportArtifact', { id, uri: target.toString(), overwrite: true });
}
