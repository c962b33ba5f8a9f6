import * as vscode from 'vscode';
import type { RequestParam } from 'vscode-languageclient/node';
import type { RequestType } from 'vscode-jsonrpc';
import { findBinary, MissingBinary } from './binary';
import type { Client } from './languageClient';
import type { Log } from './log';
import {
  type ArtifactsChanged,
  ArtifactsChangedNotification,
  type EditRefused,
  EditRefusedNotification,
  PROTOCOL,
  type ServerCommands,
  type StateChanged,
  StateChangedNotification,
} from './protocol';
import { setting } from './settings';
import { mismatchText } from './text';

const startTimeout = 30_000;
const maxCrashes = 3;
const crashWindow = 3 * 60_000;
const contentModified = -32801;

export type ServerState = 'noFolder' | 'starting' | 'running' | 'failed';

/** The language server: started, watched, and asked. */
export class Server implements vscode.Disposable {
  private client: Client | undefined;
  private queue: Promise<void> = Promise.resolve(); // never rejects
  private crashes: number[] = [];
  private current: ServerState = 'starting';
  private isStarting = false;
  private why = '';

  private readonly stateEmitter = new vscode.EventEmitter<ServerState>();
  private readonly viewEmitter = new vscode.EventEmitter<StateChanged>();
  private readonly artifactsEmitter = new vscode.EventEmitter<ArtifactsChanged>();
  private readonly refusedEmitter = new vscode.EventEmitter<EditRefused>();

  /** The server runs, or no longer. */
  readonly onDidChangeState = this.stateEmitter.event;
  readonly onStateChanged = this.viewEmitter.event;
  readonly onArtifactsChanged = this.artifactsEmitter.event;
  readonly onEditRefused = this.refusedEmitter.event;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: Log,
  ) {}

  get state(): ServerState {
    return this.current;
  }

  /** Why it does not run, "" if it does. */
  get problem(): string {
    return this.why;
  }

  /** Version and process of the server that runs. */
  get running(): { version: string; pid: number | undefined } | undefined {
    const info = this.current === 'running' ? this.client?.initializeResult?.serverInfo : undefined;
    return info && { version: info.version ?? '', pid: this.client?.serverProcess?.pid };
  }

  /** Starts the server anew. Calls that come meanwhile wait for their turn. */
  async restart(): Promise<void> {
    return this.inTurn(async () => {
      await this.stopClient();
      this.crashes = [];
      await this.startClient();
    });
  }

  async stop(): Promise<void> {
    return this.inTurn(async () => this.stopClient());
  }

  async request<P, R>(
    type: RequestType<P, R, void>,
    params: P,
    token?: vscode.CancellationToken,
  ): Promise<R> {
    const client = await this.usable();
    return client.sendRequest(type, params as RequestParam<P>, token);
  }

  async execute<C extends keyof ServerCommands>(command: C, argument: ServerCommands[C]): Promise<unknown> {
    const client = await this.usable();
    return client.sendRequest('workspace/executeCommand', { command, arguments: [argument] });
  }

  /** Has the server ask for its settings again. */
  async sendSettings(): Promise<void> {
    await this.queue;
    if (this.client?.isRunning()) {
      await this.client.sendNotification('workspace/didChangeConfiguration', { settings: null });
    }
  }

  dispose(): void {
    this.stateEmitter.dispose();
    this.viewEmitter.dispose();
    this.artifactsEmitter.dispose();
    this.refusedEmitter.dispose();
  }

  private async usable(): Promise<Client> {
    await this.queue;
    if (!this.client?.isRunning()) {
      const why = this.why === '' ? 'acode-ls is not running.' : this.why;
      throw new Error(`${why} "Acode: Restart Server" starts it.`);
    }
    return this.client;
  }

  private async inTurn(work: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(work).catch((error: unknown) => {
      this.fail(errorText(error));
    });
    return this.queue;
  }

  private async startClient(): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
    if (!folder) {
      this.why = 'acode-ls works in a folder, and none is open.';
      this.setState('noFolder');
      return;
    }
    this.setState('starting');
    let command: string;
    try {
      command = await findBinary(this.context);
    } catch (error) {
      if (!(error instanceof MissingBinary)) {
        throw error;
      }
      this.fail(error.message, 'Open Settings');
      return;
    }
    const args = ['--log-level', setting('server.logLevel'), 'serve'];
    this.log.info(`starting ${command} ${args.join(' ')}`);
    const { Client } = await import('./languageClient');
    const client: Client = new Client({ command, args, cwd: folder.uri.fsPath }, this.log, {
      running: () => {
        if (client === this.client) {
          this.welcome(client);
        }
      },
      ended: () => {
        // While it starts, that is told where the start is awaited.
        if (client === this.client && !this.isStarting) {
          this.ended();
        }
      },
    });
    this.client = client;
    this.listen(client);
    this.isStarting = true;
    try {
      await withTimeout(client.start(), startTimeout);
    } catch (error) {
      this.log.error(`starting ${command}: ${errorText(error)}`);
      await this.stopClient();
      this.fail(`acode-ls at ${command} did not start: ${errorText(error)}.`, 'Open Settings');
    } finally {
      this.isStarting = false;
    }
  }

  private listen(client: Client): void {
    client.onNotification(StateChangedNotification, (changed) => {
      this.viewEmitter.fire(changed);
    });
    client.onNotification(ArtifactsChangedNotification, (changed) => {
      this.artifactsEmitter.fire(changed);
    });
    client.onNotification(EditRefusedNotification, (refused) => {
      this.refusedEmitter.fire(refused);
    });
  }

  /** Uses a server that has just started, if it speaks our protocol. */
  private welcome(client: Client): void {
    const result = client.initializeResult;
    const { acode } = (result?.capabilities.experimental ?? {}) as { acode?: { protocol?: unknown } };
    const version = result?.serverInfo?.version ?? 'of an unknown version';
    const mismatch = mismatchText(version, acode?.protocol, PROTOCOL);
    if (mismatch === undefined) {
      this.why = '';
      this.log.info(`acode-ls ${version} is running, process ${client.serverProcess?.pid ?? 0}`);
      this.setState('running');
      return;
    }
    void this.inTurn(async () => {
      if (client === this.client) {
        await this.stopClient();
        this.fail(mismatch, 'Open Settings');
      }
    });
  }

  /** Starts a server that has ended by itself again, unless it keeps ending. */
  private ended(): void {
    const client = this.client;
    const now = Date.now();
    this.crashes = [...this.crashes.filter((time) => now - time < crashWindow), now];
    if (this.crashes.length > maxCrashes) {
      this.fail(`acode-ls ended ${this.crashes.length} times within three minutes.`, 'Restart');
      return;
    }
    this.log.warn('acode-ls ended; it is started again.');
    void this.inTurn(async () => {
      if (client === this.client) {
        await this.stopClient();
        await this.startClient();
      }
    });
  }

  private async stopClient(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (!client) {
      return;
    }
    try {
      if (client.isStarting) {
        client.serverProcess?.kill(); // it cannot be asked to shut down yet
      } else {
        await client.dispose(5000);
      }
    } catch (error) {
      this.log.warn(`stopping acode-ls: ${errorText(error)}`);
      client.serverProcess?.kill();
    }
  }

  private fail(problem: string, ...actions: ('Open Settings' | 'Restart' | 'Show Log')[]): void {
    this.why = problem;
    this.log.error(problem);
    this.setState('failed');
    const offered = new Set([...actions, 'Restart', 'Show Log'] as const);
    void vscode.window.showErrorMessage(problem, ...offered).then(async (chosen) => {
      switch (chosen) {
        case 'Open Settings':
          await vscode.commands.executeCommand('workbench.action.openSettings', 'acode.server.path');
          break;
        case 'Restart':
          await this.restart();
          break;
        case 'Show Log':
          this.log.show();
          break;
        case undefined:
      }
    });
  }

  private setState(state: ServerState): void {
    if (this.current !== state) {
      this.current = state;
      this.stateEmitter.fire(state);
    }
  }
}

/** Reports whether an answer is out of date by the time it came. */
export function isContentModified(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === contentModified;
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${ms / 1000} seconds`));
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
