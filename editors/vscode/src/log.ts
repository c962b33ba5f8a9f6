import * as vscode from 'vscode';
import { logEntry } from './text';

/** An output channel that keeps its last lines. */
export class Log implements vscode.LogOutputChannel {
  private readonly kept: string[] = [];

  constructor(
    private readonly channel: vscode.LogOutputChannel,
    private readonly limit = 200,
  ) {}

  /** The last lines, the oldest first. */
  get lines(): readonly string[] {
    return this.kept;
  }

  /** Writes a line of the server's own log. */
  server(line: string): void {
    const { level, text } = logEntry(line);
    this[level](text);
  }

  get name(): string {
    return this.channel.name;
  }
  get logLevel(): vscode.LogLevel {
    return this.channel.logLevel;
  }
  get onDidChangeLogLevel(): vscode.Event<vscode.LogLevel> {
    return this.channel.onDidChangeLogLevel;
  }
  trace(message: string, ...args: unknown[]): void {
    this.channel.trace(message, ...args);
  }
  debug(message: string, ...args: unknown[]): void {
    this.channel.debug(message, ...args);
  }
  info(message: string, ...args: unknown[]): void {
    this.keep('info', message);
    this.channel.info(message, ...args);
  }
  warn(message: string, ...args: unknown[]): void {
    this.keep('warn', message);
    this.channel.warn(message, ...args);
  }
  error(error: string | Error, ...args: unknown[]): void {
    this.keep('error', String(error));
    this.channel.error(error, ...args);
  }
  append(value: string): void {
    this.channel.append(value);
  }
  appendLine(value: string): void {
    this.keep('info', value);
    this.channel.appendLine(value);
  }
  replace(value: string): void {
    this.channel.replace(value);
  }
  clear(): void {
    this.channel.clear();
  }
  show(): void {
    this.channel.show(true);
  }
  hide(): void {
    this.channel.hide();
  }
  dispose(): void {
    this.channel.dispose();
  }

  private keep(level: string, message: string): void {
    this.kept.push(`${new Date().toISOString()} [${level}] ${message}`);
    if (this.kept.length > this.limit) {
      this.kept.shift();
    }
  }
}
