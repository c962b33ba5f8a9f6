// What a person reads: labels, made of plain values.
import type { Block, LineRange, SessionInfo } from './protocol';

/** Rounds a fraction, but says 0 and 100 only of nothing and all. */
export function percent(coverage: number): number {
  const rounded = Math.round(coverage * 100);
  if (rounded <= 0 && coverage > 0) {
    return 1;
  }
  if (rounded >= 100 && coverage < 1) {
    return 99;
  }
  return Math.min(100, Math.max(0, rounded));
}

export function coverageText(coverage: number): string {
  return `${percent(coverage)} %`;
}

/** Five blocks; like the percentage, none or all only of nothing and all. */
export function coverageBar(coverage: number): string {
  const blocks = 5;
  let full = Math.round((percent(coverage) / 100) * blocks);
  if (full === 0 && coverage > 0) {
    full = 1;
  }
  if (full === blocks && coverage < 1) {
    full = blocks - 1;
  }
  return '▰'.repeat(full) + '▱'.repeat(blocks - full);
}

export function rangeText({ startLine, endLine }: LineRange): string {
  return startLine === endLine ? `Line ${startLine}` : `Lines ${startLine}–${endLine}`;
}

export function counted(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

export function statusText(state: string, coverage: number): string {
  return state === 'model_authored' && coverage === 1
    ? 'Agent wrote this file'
    : `Agent ${coverageText(coverage)} of this file`;
}

const states: Record<string, string> = {
  never_read: 'not read',
  partial_read: 'read in part',
  fully_read: 'read',
  model_authored: 'written by the agent',
};

export function stateText(state: string, stale: boolean): string {
  const text = states[state] ?? state;
  return stale ? `${text}, changed since` : text;
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) {
    return counted(bytes, 'byte');
  }
  let size = bytes / 1024;
  let unit = 'KB';
  for (const next of ['MB', 'GB']) {
    if (size < 1024) {
      break;
    }
    size /= 1024;
    unit = next;
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

/** How long ago an RFC 3339 time is. */
export function ageText(time: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - new Date(time).getTime()) / 60_000);
  if (Number.isNaN(minutes)) {
    return '';
  }
  if (minutes < 1) {
    return 'just now';
  }
  if (minutes < 60) {
    return `${minutes} min ago`;
  }
  if (minutes < 24 * 60) {
    return `${Math.floor(minutes / 60)} h ago`;
  }
  return `${counted(Math.floor(minutes / 60 / 24), 'day')} ago`;
}

export function sessionText(session: Pick<SessionInfo, 'id' | 'agent'>): string {
  return session.agent === '' ? session.id : session.agent;
}

/** What was refused, in one sentence or two; blocks is not empty. */
export function refusalText(agent: string, blocks: readonly Block[], name: (uri: string) => string): string {
  const who = agent === '' ? 'an agent' : agent;
  const files = [...new Set(blocks.map((block) => name(block.uri)))];
  const last = blocks.at(-1);
  if (blocks.length === 1 && last) {
    return `An edit of ${files.join()} by ${who} was refused. ${last.message}`;
  }
  const where = files.length > 3 ? counted(files.length, 'file') : files.join(', ');
  return `${counted(blocks.length, 'edit')} by ${who} were refused: ${where}. ${last?.message ?? ''}`;
}

/** Why a server cannot be used, undefined if it can. */
export function mismatchText(version: string, protocol: unknown, ours: number): string | undefined {
  if (protocol === ours) {
    return undefined;
  }
  const theirs = typeof protocol === 'number' ? `protocol ${protocol}` : 'a protocol without a number';
  const what = typeof protocol === 'number' && protocol > ours ? 'the extension' : 'acode-ls';
  return `acode-ls ${version} speaks ${theirs}, this extension ${ours}; update ${what}.`;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** A line of the server's log, which is JSON, or as it is. */
export function logEntry(line: string): { level: LogLevel; text: string } {
  try {
    const { level, msg, ts, ...fields } = JSON.parse(line) as Record<string, unknown>;
    if (typeof msg === 'string') {
      const rest = Object.entries(fields).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
      return { level: logLevel(level), text: msg + rest.join('') };
    }
  } catch {
    // A panic or a message of the system's is no JSON.
  }
  return { level: 'info', text: line };
}

function logLevel(level: unknown): LogLevel {
  switch (level) {
    case 'debug':
    case 'info':
    case 'warn':
      return level;
    default:
      return 'error';
  }
}
