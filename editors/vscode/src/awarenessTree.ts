import { basename } from 'node:path';
import * as vscode from 'vscode';
import { errorText, isContentModified, type Server } from './client';
import type { Log } from './log';
import {
  type FileState,
  type LineRange,
  type SessionInfo,
  SessionsRequest,
  StateRequest,
  ViewRequest,
} from './protocol';
import { Refresh } from './refresh';
import { ageText, counted, coverageBar, coverageText, rangeText, sessionText, stateText } from './text';

export interface SessionNode {
  kind: 'session';
  session: SessionInfo;
}

export interface FileNode {
  kind: 'file';
  session: string;
  file: FileState;
}

export interface RangeNode {
  kind: 'range';
  session: string;
  uri: string;
  range: LineRange;
  declares: string;
}

export type AwarenessNode = SessionNode | FileNode | RangeNode;

/** Sessions, the files each has read, and the ranges it has not. */
export class AwarenessTree implements vscode.TreeDataProvider<AwarenessNode>, vscode.Disposable {
  private readonly refreshing = new Refresh();
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
      server.onStateChanged(refresh),
      server.onArtifactsChanged(refresh), // sessions come and go with them
      server.onDidChangeState(refresh),
    ];
  }

  refresh(): void {
    this.refreshing.soon();
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  async getChildren(node?: AwarenessNode): Promise<AwarenessNode[]> {
    try {
      return await this.children(node);
    } catch (error) {
      // It is drawn anew when a server that has ended is back.
      this.log.warn(`asking what agents have read: ${errorText(error)}`);
      return [];
    }
  }

  getTreeItem(node: AwarenessNode): vscode.TreeItem {
    switch (node.kind) {
      case 'session':
        return sessionItem(node.session);
      case 'file':
        return fileItem(node);
      case 'range':
        return rangeItem(node);
    }
  }

  private async children(node?: AwarenessNode): Promise<AwarenessNode[]> {
    switch (node?.kind) {
      case undefined:
        return this.sessions();
      case 'session':
        return this.files(node.session.id);
      case 'file':
        return this.ranges(node);
      case 'range':
        return [];
    }
  }

  private async sessions(): Promise<SessionNode[]> {
    if (this.server.state !== 'running') {
      return [];
    }
    const { sessions } = await this.server.request(SessionsRequest, {});
    return sessions
      .filter(({ files, active }) => files > 0 || active)
      .filter(({ files }, _, all) => files > 0 || all.length > 1)
      .map((session) => ({ kind: 'session', session }));
  }

  private async files(session: string): Promise<FileNode[]> {
    const { files } = await this.server.request(StateRequest, { session });
    return files.map((file) => ({ kind: 'file', session, file }));
  }

  /** Of a document that is open, with what the ranges declare. */
  private async ranges({ session, file }: FileNode): Promise<RangeNode[]> {
    let ranges: (LineRange & { declares?: string })[] = file.unreadRanges;
    try {
      const view = await this.server.request(ViewRequest, { session, textDocument: { uri: file.uri } });
      ranges = view?.unread ?? ranges;
    } catch (error) {
      if (!isContentModified(error)) {
        throw error;
      }
    }
    return ranges.map(({ startLine, endLine, declares = '' }) => ({
      kind: 'range',
      session,
      uri: file.uri,
      range: { startLine, endLine },
      declares,
    }));
  }
}

function sessionItem(session: SessionInfo): vscode.TreeItem {
  const state = session.active
    ? vscode.TreeItemCollapsibleState.Expanded
    : vscode.TreeItemCollapsibleState.Collapsed;
  const item = new vscode.TreeItem(sessionText(session), state);
  const age = session.ended === true ? 'ended' : ageText(session.lastUsed, new Date());
  const parts = [counted(session.files, 'file'), age];
  if (session.active) {
    parts.unshift('shown');
  }
  item.id = session.id;
  item.description = parts.filter((part) => part !== '').join(' · ');
  item.iconPath = new vscode.ThemeIcon(session.selected === true ? 'pinned' : 'robot');
  item.tooltip = `Session ${session.id}`;
  item.contextValue = session.selected === true ? 'selectedSession' : 'session';
  return item;
}

function fileItem({ session, file }: FileNode): vscode.TreeItem {
  const uri = vscode.Uri.parse(file.uri);
  const item = new vscode.TreeItem(
    basename(uri.fsPath),
    file.unreadRanges.length > 0
      ? vscode.TreeItemCollapsibleState.Collapsed
      : vscode.TreeItemCollapsibleState.None,
  );
  const relative = vscode.workspace.asRelativePath(uri);
  const folder = relative.slice(0, -basename(relative).length).replace(/\/$/, '');
  item.id = `${session} ${file.uri}`;
  item.description = [`${coverageBar(file.coverage)} ${coverageText(file.coverage)}`, folder]
    .filter((part) => part !== '')
    .join(' · ');
  item.iconPath = fileIcon(file);
  const state = stateText(file.state, file.stale);
  const unread = counted(file.unreadRanges.length, 'unread range');
  item.tooltip = [
    relative,
    state,
    `${unread} in ${counted(file.totalLines, 'line')}`,
    `last looked at ${counted(file.rounds, 'round')} ago`,
  ].join('\n');
  // The bar would be read aloud block by block.
  item.accessibilityInformation = {
    label: `${relative}, ${coverageText(file.coverage)} read, ${state}, ${unread}`,
  };
  item.contextValue = 'file';
  item.command = { command: 'vscode.open', title: 'Open', arguments: [uri] };
  return item;
}

function fileIcon({ state, stale }: FileState): vscode.ThemeIcon {
  if (stale) {
    return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  }
  switch (state) {
    case 'fully_read':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('charts.green'));
    case 'model_authored':
      return new vscode.ThemeIcon('sparkle', new vscode.ThemeColor('charts.purple'));
    case 'partial_read':
      return new vscode.ThemeIcon('eye', new vscode.ThemeColor('acode.unreadGutter'));
    default:
      return new vscode.ThemeIcon('eye-closed');
  }
}

function rangeItem({ session, uri, range, declares }: RangeNode): vscode.TreeItem {
  const item = new vscode.TreeItem(rangeText(range));
  item.id = `${session} ${uri} ${range.startLine}`;
  item.description = declares;
  item.tooltip = declares === '' ? `${rangeText(range)} were not read` : declares;
  item.contextValue = 'range';
  item.command = {
    command: 'acode.range.open',
    title: 'Show Unread Range',
    arguments: [{ uri, startLine: range.startLine, endLine: range.endLine }],
  };
  return item;
}
