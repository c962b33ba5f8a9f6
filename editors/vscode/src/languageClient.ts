// The library's client as this extension wants it. The file is loaded when the
// server is started, because the library takes longer to load than all else.
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
} from 'vscode-languageclient/node';
import { applyAgentEdit } from './edits';
import type { Log } from './log';
import { serverSettings } from './serverSettings';
import { setting } from './settings';

export interface Program {
  command: string;
  args: string[];
  cwd: string;
}

export interface Events {
  running: () => void;
  /** The server has ended by itself. */
  ended: () => void;
}

export class Client extends LanguageClient {
  constructor({ command, args, cwd }: Program, log: Log, events: Events) {
    const isRunning = () => this.isRunning();
    super('acode', 'acode-ls', { command, args, options: { cwd } }, options(log, events, isRunning));
    this.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        events.running();
      }
    });
  }

  get isStarting(): boolean {
    return this.state === State.Starting;
  }

  /** Leaves it to us to tell the person that the server does not start or has ended. */
  override error(message: string, data?: unknown, showNotification?: boolean | 'force'): void {
    super.error(message, data, showNotification === 'force' ? false : showNotification);
  }
}

function options(
  log: Log,
  events: Events,
  isRunning: () => boolean,
): LanguageClientOptions & { stdioOptions: object } {
  return {
    documentSelector: [{ scheme: 'file' }],
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: () => serverSettings(setting),
    // It is reported where the start is awaited.
    initializationFailedHandler: () => false,
    stdioOptions: {
      stdout: () => undefined, // the wire
      stderr: (stream: NodeJS.ReadableStream) => {
        readLines(stream, (line) => {
          log.server(line);
        });
      },
    },
    middleware: {
      workspace: {
        configuration: ({ items }) =>
          items.map(({ section }) => (section === 'acode' ? serverSettings(setting) : null)),
        handleApplyEdit: async (params, next) => applyAgentEdit(params, next, isRunning),
      },
    },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      // It is started again by a client of its own, as it was the first time.
      closed: () => {
        events.ended();
        return { action: CloseAction.DoNotRestart, handled: true, message: 'acode-ls has ended.' };
      },
    },
  };
}

function readLines(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? '';
    lines.forEach(take);
  });
  stream.on('end', () => {
    if (rest !== '') {
      take(rest);
    }
  });
}
