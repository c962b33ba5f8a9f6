import { basename } from 'node:path';
import * as vscode from 'vscode';
import { errorText, type Server } from './client';
import type { Log } from './log';
import type { Block, EditRefused } from './protocol';
import { select } from './reveal';
import { setting, updateSetting } from './settings';
import { refusalText } from './text';

const bundleTime = 500;

/** Tells of edits that were refused, of a burst of them once. */
export class Refusals implements vscode.Disposable {
  private blocks: Block[] = [];
  private agent = '';
  private timer: NodeJS.Timeout | undefined;
  private readonly subscription: vscode.Disposable;

  constructor(
    server: Server,
    private readonly log: Log,
  ) {
    this.subscription = server.onEditRefused((refused) => {
      this.add(refused);
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscription.dispose();
  }

  private add({ agent, session, blocks }: EditRefused): void {
    if (!setting('notifications.refusedEdits')) {
      return;
    }
    this.blocks.push(...blocks);
    this.agent = agent === '' ? session : agent;
    this.timer ??= setTimeout(() => {
      const bundle = this.blocks;
      this.timer = undefined;
      this.blocks = [];
      void tell(this.agent, bundle).catch(async (error: unknown) => {
        this.log.error(`showing what was refused: ${errorText(error)}`);
        await vscode.window.showErrorMessage(errorText(error));
      });
    }, bundleTime);
  }
}

async function tell(agent: string, blocks: readonly Block[]): Promise<void> {
  const last = blocks.at(-1);
  if (!last) {
    return;
  }
  const text = refusalText(agent, blocks, (uri) => basename(vscode.Uri.parse(uri).fsPath));
  const [first] = last.unreadRanges;
  const show = first ? 'Show Lines' : 'Open File';
  const chosen = await vscode.window.showWarningMessage(text, show, "Don't Show Again");
  if (chosen === show) {
    await (first
      ? select(last.uri, first)
      : vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(last.uri)));
  } else if (chosen !== undefined) {
    await updateSetting('notifications.refusedEdits', false);
  }
}
