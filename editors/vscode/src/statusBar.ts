import * as vscode from 'vscode';
import type { Server } from './client';
import type { View } from './protocol';
import { rangeText, stateText, statusText } from './text';
import type { Views } from './views';

const maxListed = 20;

/** Says how much of the active file the agent has read, or that the server is gone. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('awareness', vscode.StatusBarAlignment.Right, 90);
  private readonly disposables: { dispose(): unknown }[];

  constructor(
    private readonly server: Server,
    private readonly views: Views,
  ) {
    this.item.name = 'Acode: What the Agent Has Read';
    this.disposables = [
      this.item,
      vscode.window.onDidChangeActiveTextEditor(() => {
        this.update();
      }),
      views.onDidChange(() => {
        this.update();
      }),
      server.onDidChangeState(() => {
        this.update();
      }),
    ];
    this.update();
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private update(): void {
    const document = vscode.window.activeTextEditor?.document;
    const view = document && this.views.of(document);
    void vscode.commands.executeCommand('setContext', 'acode.activeFileTouched', view !== undefined);
    if (this.server.state === 'failed') {
      this.item.text = '$(warning) acode-ls';
      this.item.tooltip = `${this.server.problem}\nClick to start it again.`;
      this.item.command = 'acode.server.restart';
      this.item.backgroundColor = new vscode.ThemeColor('statusBarItem.errorBackground');
      this.item.accessibilityInformation = { label: `${this.server.problem} Click to start it again.` };
      this.item.show();
    } else if (document && view) {
      this.item.text = statusText(view.state, view.coverage, view.stale);
      this.item.tooltip = tooltip(document.uri, view);
      this.item.command = 'acode.unread.next';
      this.item.accessibilityInformation = undefined;
      this.item.backgroundColor = undefined;
      this.item.show();
    } else {
      this.item.hide();
    }
  }
}

function tooltip(uri: vscode.Uri, view: View): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.isTrusted = { enabledCommands: ['acode.range.open'] };
  text.appendText(`${view.agent === '' ? view.session : view.agent}: ${stateText(view.state, view.stale)}`);
  const list = (
    title: string,
    ranges: readonly { startLine: number; endLine: number; declares?: string }[],
  ) => {
    if (ranges.length === 0) {
      return;
    }
    text.appendMarkdown(`\n\n${title}\n\n`);
    for (const range of ranges.slice(0, maxListed)) {
      const argument = { uri: uri.toString(), startLine: range.startLine, endLine: range.endLine };
      const target = `command:acode.range.open?${encodeURIComponent(JSON.stringify([argument]))}`;
      text.appendMarkdown(`- [${rangeText(range)}](${target}) `);
      text.appendText(range.declares ?? '');
      text.appendMarkdown('\n');
    }
    if (ranges.length > maxListed) {
      text.appendMarkdown(`- and ${ranges.length - maxListed} more\n`);
    }
  };
  list('Not read:', view.unread);
  list('Changed since:', view.changedRanges);
  return text;
}
