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

export function statusText(state: string, coverage: number, stale: boolean): string {
  const text =
    state === 'model_authored' && coverage === 1
      ? 'Agent wrote this file'
      : `Agent ${coverageText(coverage)} of this file`;
  return stale ? `${text} · changed` : text;
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

/** What is asked before an edit meets unsaved changes the agent has not seen. */
export function questionText(files: readonly { name: string; edits: readonly Replacement[] }[]): {
  message: string;
  detail: string;
} {
  const names = files.map(({ name }) => name).join(', ');
  const have = files.length === 1 ? 'has' : 'have';
  const where = files.map(({ name, edits }) => {
    const first = Math.min(...edits.map(({ range }) => range.start.line + 1));
    const last = Math.max(
      ...edits.map(({ range: { start, end } }) => Math.max(start.line + 1, lastLine(end))),
    );
    return `${name}: ${rangeText({ startLine: first, endLine: last })}`;
  });
  return {
    message: `An agent wants to edit ${names}, which ${have} unsaved changes it has not seen.`,
    detail: `${where.join('\n')}\n\nYour changes stay in any case. What is applied can be undone.`,
  };
}

/** Asks whether files with unsaved changes may go. */
export function deletionText(names: readonly string[]): { message: string; detail: string } {
  const have = names.length === 1 ? 'has' : 'have';
  return {
    message: `An agent wants to delete ${names.join(', ')}, which ${have} unsaved changes.`,
    detail: 'They would be lost.',
  };
}

interface Position {
  line: number;
  character: number;
}

interface Replacement {
  range: { start: Position; end: Position };
}

/** An end at the start of a line does not reach into it. */
function lastLine({ line, character }: Position): number {
  return character === 0 ? line : line + 1;
}

/** What was refused, in one sentence or two; blocks is not empty. */
export function refusalText(agent: string, blocks: readonly Block[], name: (uri: string) => string): string {
  const who = agent === '' ? 'an agent' : agent;
  const files = [...new Set(blocks.map((block) => name(block.uri)))];
  const last = blocks.at(-1);
  if (blocks.length === 1 && last) {
    return `An edit of ${files.join()} by ${who} was refused${whyText(last)}`;
  }
  const where = files.length > 3 ? counted(files.length, 'file') : files.join(', ');
  return `${counted(blocks.length, 'edit')} by ${who} were refused: ${where}. ${last?.message ?? ''}`;
}

/** The message speaks to the agent, which was told; of unread lines a person reads what it means. */
function whyText({ reason, unreadRanges, message }: Block): string {
  const isUnread = reason === 'never_read' || reason === 'no_coverage' || reason === 'partial_overlap';
  if (!isUnread || unreadRanges.length === 0) {
    return `. ${message}`;
  }
  const ranges = unreadRanges.map((range) => rangeText(range).toLowerCase()).join(', ');
  return `: it has not read ${ranges}, and was told so.`;
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

export type LogLevel = 'info' | 'warn' | 'error';

/**
 * A line of the server's log, which is JSON, or as it is. Which lines it writes
 * is a setting, and the channel drops those below its own level: debugging
 * lines go in as information.
 */
export function logEntry(line: string): { level: LogLevel; text: string } {
  try {
    const { level, msg, ts, ...fields } = JSON.parse(line) as Record<string, unknown>;
    if (typeof msg === 'string') {
      const rest = Object.entries(fields).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
      const text = msg + rest.join('');
      return level === 'debug' ? { level: 'info', text: `debug: ${text}` } : { level: logLevel(level), text };
    }
  } catch {
    // A panic or a message of the system's is no JSON.
  }
  return { level: 'info', text: line };
}

function logLevel(level: unknown): LogLevel {
  switch (level) {
    case 'info':
    case 'warn':
      return level;
    default:
      return 'error';
  }
}
