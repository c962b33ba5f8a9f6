import * as vscode from 'vscode';
import { lastingBinary, runBinary } from './binary';

const scheme = 'acode-preview';

/** What acode-ls --json prints. */
interface Envelope<T> {
  ok: boolean;
  data: T | null;
  error: { message: string } | null;
}

interface Agent {
  agent: string;
  title: string;
  gives: string;
  connected: string[];
  partly: string[];
  problem?: string;
}

interface Settings {
  files: { path: string; change: string; diff: string }[];
  snippet?: string;
  written: boolean;
  next: string;
}

/** Shows what connecting an agent would write, and writes it if the person wants that. */
export class Agents implements vscode.TextDocumentContentProvider {
  private readonly previews = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();

  readonly onDidChange = this.changed.event;

  constructor(private readonly context: vscode.ExtensionContext) {}

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.previews.get(uri.path) ?? '';
  }

  async connect(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      throw new Error('Trust this workspace first: agents are connected by programs its settings name.');
    }
    const folder = await pickFolder();
    if (!folder) {
      return;
    }
    const agents = await this.init<Agent[]>(folder, []);
    const picked = await vscode.window.showQuickPick(
      agents.map((agent) => ({
        label: agent.title,
        description: connection(agent),
        detail: agent.problem ?? agent.gives,
        agent,
      })),
      {
        title: 'Connect an Agent',
        placeHolder: 'Agent or editor to connect with acode-ls',
        matchOnDetail: true,
      },
    );
    if (picked) {
      await this.offer(folder, picked.agent);
    }
  }

  private async offer(folder: vscode.Uri, { agent, title }: Agent): Promise<void> {
    const plan = await this.init<Settings>(folder, [agent]);
    const changes = plan.files.filter(({ diff }) => diff !== '');
    if (changes.length === 0 && plan.snippet === undefined) {
      void vscode.window.showInformationMessage(`${title} is connected already.`);
      return;
    }
    const uri = vscode.Uri.from({ scheme, path: `/Connect ${title}.${changes.length > 0 ? 'diff' : 'txt'}` });
    const parts = [...(plan.snippet === undefined ? [] : [plan.snippet]), ...changes.map(({ diff }) => diff)];
    this.previews.set(uri.path, parts.join('\n'));
    this.changed.fire(uri); // it may be open from before
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
    if (changes.length === 0) {
      void vscode.window.showInformationMessage(`${title}: ${plan.next}`);
      return;
    }
    const names = changes
      .map(({ path, change }) => `${vscode.workspace.asRelativePath(path)} (${change})`)
      .join(', ');
    const write = await vscode.window.showInformationMessage(
      `Write the settings of ${title}? ${names}`,
      'Write',
    );
    if (write === undefined) {
      return;
    }
    const { files, next } = await this.init<Settings>(folder, [agent, '--write']);
    const open = await vscode.window.showInformationMessage(
      `${title} is connected. ${next}`,
      ...(files.length > 0 ? ['Open Settings File'] : []),
    );
    if (open !== undefined && files[0]) {
      await vscode.window.showTextDocument(vscode.Uri.file(files[0].path));
    }
  }

  private async init<T>(folder: vscode.Uri, args: readonly string[]): Promise<T> {
    const file = await lastingBinary(this.context);
    const all = ['--root', folder.fsPath, '--json', 'init', ...args];
    const { stdout, stderr, status } = await runBinary(file, all, folder.fsPath);
    let answer: Envelope<T>;
    try {
      answer = JSON.parse(stdout) as Envelope<T>;
    } catch {
      throw new Error(`acode-ls init ended with status ${status}: ${stderr.trim() || 'it printed nothing'}`);
    }
    if (answer.data === null) {
      throw new Error(answer.error?.message ?? `acode-ls init ended with status ${status}.`);
    }
    return answer.data;
  }
}

function connection({ connected, partly }: Agent): string {
  if (connected.length > 0) {
    return `connected: ${connected.join(', ')}`;
  }
  return partly.length > 0 ? `out of date: ${partly.join(', ')}` : '';
}

/** The folder of the workspace the person means. */
export async function pickFolder(): Promise<vscode.Uri | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (folders.length > 1) {
    return (await vscode.window.showWorkspaceFolderPick())?.uri;
  }
  if (!folders[0]) {
    throw new Error('Open a folder first.');
  }
  return folders[0].uri;
}
