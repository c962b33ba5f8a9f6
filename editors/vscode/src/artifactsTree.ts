import * as vscode from 'vscode';
import { errorText, type Server } from './client';
import type { Log } from './log';
import { type ArtifactInfo, type ArtifactsParams, ArtifactsRequest } from './protocol';
import { Refresh } from './refresh';
import { ageText, sizeText } from './text';

/** Output that did not fit, of the session that is shown, the latest first. */
export class ArtifactsTree implements vscode.TreeDataProvider<ArtifactInfo>, vscode.Disposable {
  private readonly refreshing = new Refresh();
  private latest = '';
  private readonly disposables: { dispose(): unknown }[];

  readonly onDidChangeTreeData = this.refreshing.event;

  constructor(
    private readonly server: Server,
    private readonly log: Log,
  ) {
    const refresh = () => {
      this.refresh();
    };
    this.disposables = [
      this.refreshing,
      server.onArtifactsChanged(refresh),
      server.onStateChanged(({ session }) => {
        // Where the latest session is shown, it may be another one now.
        if (session !== this.latest) {
          this.latest = session;
          refresh();
        }
      }),
      server.onDidChangeState(refresh),
    ];
  }

  refresh(): void {
    this.refreshing.soon();
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  /** Shows the tree. One-shot commands store artifacts without the server's news: it looks when it appears. */
  show(): vscode.Disposable {
    const view = vscode.window.createTreeView('acode.artifacts', { treeDataProvider: this });
    const subscription = view.onDidChangeVisibility(({ visible }) => {
      if (visible) {
        this.refresh();
      }
    });
    return vscode.Disposable.from(view, subscription);
  }

  async getChildren(node?: ArtifactInfo): Promise<ArtifactInfo[]> {
    if (node || this.server.state !== 'running') {
      return [];
    }
    try {
      return await this.all();
    } catch (error) {
      // It is drawn anew when a server that has ended is back.
      this.log.warn(`asking for artifacts: ${errorText(error)}`);
      return [];
    }
  }

  private async all(): Promise<ArtifactInfo[]> {
    const all: ArtifactInfo[] = [];
    const params: ArtifactsParams = {};
    for (;;) {
      const { artifacts, nextCursor } = await this.server.request(ArtifactsRequest, params);
      all.push(...artifacts);
      if (nextCursor === undefined) {
        return all.reverse();
      }
      params.cursor = nextCursor;
    }
  }

  getTreeItem(artifact: ArtifactInfo): vscode.TreeItem {
    const item = new vscode.TreeItem(artifact.summary === '' ? artifact.id : artifact.summary);
    const age = ageText(artifact.created, new Date());
    item.id = artifact.id;
    item.description = [sizeText(artifact.size), artifact.type, age]
      .filter((part) => part !== '')
      .join(' · ');
    item.iconPath = new vscode.ThemeIcon(icon(artifact.type));
    item.tooltip = [artifact.id, artifact.summary, artifact.source, artifact.created]
      .filter((part) => part !== '')
      .join('\n');
    item.contextValue = 'artifact';
    item.command = { command: 'acode.artifact.open', title: 'Open', arguments: [artifact] };
    return item;
  }
}

function icon(type: string): string {
  if (type.includes('json')) {
    return 'json';
  }
  return type.startsWith('text/') ? 'output' : 'file-binary';
}
