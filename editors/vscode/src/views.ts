import * as vscode from 'vscode';
import { errorText, isContentModified, type Server } from './client';
import type { Log } from './log';
import { type View, ViewRequest } from './protocol';

/** What the agent has read of the documents that are visible. */
export class Views implements vscode.Disposable {
  private readonly known = new Map<string, View>();
  private readonly asked = new Map<string, { again: boolean }>();
  private readonly emitter = new vscode.EventEmitter<vscode.TextDocument>();
  private readonly disposables: { dispose(): unknown }[];

  /** What is known of a document is new, or gone. */
  readonly onDidChange = this.emitter.event;

  constructor(
    private readonly server: Server,
    private readonly log: Log,
  ) {
    this.disposables = [
      this.emitter,
      vscode.window.onDidChangeVisibleTextEditors(() => {
        this.update();
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.known.delete(document.uri.toString());
      }),
      server.onStateChanged(({ uris }) => {
        this.update(new Set(uris.map((uri) => vscode.Uri.parse(uri).toString())));
      }),
      server.onDidChangeState((state) => {
        if (state === 'running') {
          this.update();
        } else {
          this.clear();
        }
      }),
    ];
  }

  of(document: vscode.TextDocument): View | undefined {
    return this.known.get(document.uri.toString());
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  /** Asks anew about the visible documents, or those of them that are named. */
  private update(uris?: ReadonlySet<string>): void {
    if (this.server.state !== 'running') {
      return;
    }
    for (const document of visibleDocuments()) {
      if (uris?.has(document.uri.toString()) ?? true) {
        void this.ask(document);
      }
    }
  }

  /** One question about a document at a time: news that come meanwhile lead to one more. */
  private async ask(document: vscode.TextDocument): Promise<void> {
    const key = document.uri.toString();
    const pending = this.asked.get(key);
    if (pending) {
      pending.again = true;
      return;
    }
    const question = { again: false };
    this.asked.set(key, question);
    try {
      await this.take(document, key);
    } catch (error) {
      // While an edit is on its way what is shown stays; news follow.
      if (!isContentModified(error)) {
        this.log.warn(`asking what was read of ${document.uri.path}: ${errorText(error)}`);
      }
    }
    this.asked.delete(key);
    if (question.again) {
      this.update(new Set([key])); // by then another document may have the name
    }
  }

  private async take(document: vscode.TextDocument, key: string): Promise<void> {
    const view = await this.server.request(ViewRequest, { textDocument: { uri: key } });
    if (!view) {
      if (this.known.delete(key)) {
        this.emitter.fire(document);
      }
    } else if (view.version === document.version && !document.isClosed) {
      this.known.set(key, view);
      this.emitter.fire(document);
    }
  }

  private clear(): void {
    this.known.clear();
    for (const document of visibleDocuments()) {
      this.emitter.fire(document);
    }
  }
}

function visibleDocuments(): Set<vscode.TextDocument> {
  const documents = vscode.window.visibleTextEditors.map((editor) => editor.document);
  return new Set(
    documents.filter(({ uri }) => uri.scheme === 'file' && vscode.workspace.getWorkspaceFolder(uri)),
  );
}
