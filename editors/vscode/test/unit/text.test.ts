import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ageText,
  counted,
  coverageBar,
  coverageText,
  deletionText,
  logEntry,
  mismatchText,
  percent,
  questionText,
  rangeText,
  refusalText,
  sessionText,
  sizeText,
  stateText,
  statusText,
} from '../../src/text';

test('percent says 0 and 100 only of nothing and all', () => {
  const want: [number, number][] = [
    [0, 0],
    [0.001, 1],
    [0.62, 62],
    [0.999, 99],
    [1, 100],
    [1.2, 100],
    [-1, 0],
  ];
  for (const [coverage, expected] of want) {
    assert.equal(percent(coverage), expected, `percent(${coverage})`);
  }
});

test('the coverage bar is full or empty only of all or nothing', () => {
  const want: [number, string][] = [
    [0, '▱▱▱▱▱'],
    [0.01, '▰▱▱▱▱'],
    [0.5, '▰▰▰▱▱'],
    [0.62, '▰▰▰▱▱'],
    [0.99, '▰▰▰▰▱'],
    [1, '▰▰▰▰▰'],
  ];
  for (const [coverage, expected] of want) {
    assert.equal(coverageBar(coverage), expected, `coverageBar(${coverage})`);
  }
});

test('labels', () => {
  assert.equal(coverageText(0.62), '62 %');
  assert.equal(rangeText({ startLine: 7, endLine: 7 }), 'Line 7');
  assert.equal(rangeText({ startLine: 101, endLine: 120 }), 'Lines 101–120');
  assert.equal(counted(1, 'file'), '1 file');
  assert.equal(counted(0, 'file'), '0 files');
  assert.equal(statusText('partial_read', 0.62, false), 'Agent 62 % of this file');
  assert.equal(statusText('partial_read', 0.62, true), 'Agent 62 % of this file · changed');
  assert.equal(statusText('model_authored', 1, false), 'Agent wrote this file');
  assert.equal(statusText('model_authored', 0.9, false), 'Agent 90 % of this file');
  assert.equal(stateText('partial_read', true), 'read in part, changed since');
  assert.equal(stateText('something_new', false), 'something_new');
  assert.equal(sessionText({ id: 'a1', agent: '' }), 'a1');
  assert.equal(sessionText({ id: 'a1', agent: 'Claude Code' }), 'Claude Code');
});

test('sizes', () => {
  const want: [number, string][] = [
    [1, '1 byte'],
    [1023, '1023 bytes'],
    [1024, '1.0 KB'],
    [508_886, '497 KB'],
    [10 << 20, '10 MB'],
    [3 * 2 ** 30, '3.0 GB'],
  ];
  for (const [bytes, expected] of want) {
    assert.equal(sizeText(bytes), expected);
  }
});

test('ages', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const want: [string, string][] = [
    ['2026-11-22T11:59:30Z', 'just now'],
    ['2026-11-22T12:00:05Z', 'just now'],
    ['2026-11-22T11:55:00Z', '5 min ago'],
    ['2026-11-22T09:30:00Z', '2 h ago'],
    ['2026-11-21T11:00:00Z', '1 day ago'],
    ['2026-11-19T11:00:00Z', '3 days ago'],
    ['', ''],
  ];
  for (const [time, expected] of want) {
    assert.equal(ageText(time, now), expected, time);
  }
});

test('a refusal is told in a sentence or two', () => {
  const block = (uri: string, message: string) => ({ uri, message, reason: 'no_coverage', unreadRanges: [] });
  const name = (uri: string) => uri.replace('file:///', '');
  const one = block('file:///a.go', 'Line 3 was not read. Read that line first.');
  assert.equal(
    refusalText('Claude Code', [one], name),
    'An edit of a.go by Claude Code was refused. Line 3 was not read. Read that line first.',
  );
  const unread = [
    { startLine: 3, endLine: 3 },
    { startLine: 7, endLine: 9 },
  ];
  assert.equal(
    refusalText('Claude Code', [{ ...one, unreadRanges: unread }], name),
    'An edit of a.go by Claude Code was refused: it has not read line 3, lines 7–9, and was told so.',
  );
  assert.equal(
    refusalText('', [{ ...one, reason: 'stale', unreadRanges: unread }], name),
    'An edit of a.go by an agent was refused. Line 3 was not read. Read that line first.',
  );
  const many = ['b', 'c', 'd'].map((uri) => block(`file:///${uri}`, 'Last.'));
  assert.equal(
    refusalText('', [one, ...many.slice(0, 1)], name),
    '2 edits by an agent were refused: a.go, b. Last.',
  );
  assert.equal(refusalText('', [one, ...many], name), '4 edits by an agent were refused: 4 files. Last.');
});

test('before an edit meets unsaved changes, the question says where', () => {
  const edit = (line: number, end: number, character: number) => ({
    range: { start: { line, character: 0 }, end: { line: end, character } },
  });
  assert.deepEqual(questionText([{ name: 'a.go', edits: [edit(8, 9, 0), edit(3, 4, 2)] }]), {
    message: 'An agent wants to edit a.go, which has unsaved changes it has not seen.',
    detail: 'a.go: Lines 4–9\n\nYour changes stay in any case. What is applied can be undone.',
  });
  const { message, detail } = questionText([
    { name: 'a.go', edits: [edit(0, 0, 0)] },
    { name: 'b.go', edits: [edit(1, 2, 0)] },
  ]);
  assert.equal(message, 'An agent wants to edit a.go, b.go, which have unsaved changes it has not seen.');
  assert.match(detail, /^a\.go: Line 1\nb\.go: Line 2\n/);
});

test('the question before a deletion says what would be lost', () => {
  assert.deepEqual(deletionText(['a.go']), {
    message: 'An agent wants to delete a.go, which has unsaved changes.',
    detail: 'They would be lost.',
  });
  assert.match(deletionText(['a.go', 'b.go']).message, /delete a\.go, b\.go, which have/);
});

test('a server with another protocol is named, and what to update', () => {
  assert.equal(mismatchText('1.0', 1, 1), undefined);
  assert.equal(
    mismatchText('1.0', 2, 1),
    'acode-ls 1.0 speaks protocol 2, this extension 1; update the extension.',
  );
  assert.equal(
    mismatchText('1.0', undefined, 1),
    'acode-ls 1.0 speaks a protocol without a number, this extension 1; update acode-ls.',
  );
});

test('lines of the log', () => {
  assert.deepEqual(logEntry('{"level":"warn","ts":"2026-11-22T12:00:00Z","msg":"no","root":"/a"}'), {
    level: 'warn',
    text: 'no root="/a"',
  });
  assert.deepEqual(logEntry('{"level":"dpanic","msg":"bug"}'), { level: 'error', text: 'bug' });
  assert.deepEqual(logEntry('{"level":"debug","msg":"seen"}'), { level: 'info', text: 'debug: seen' });
  assert.deepEqual(logEntry('panic: no'), { level: 'info', text: 'panic: no' });
  assert.deepEqual(logEntry('[1]'), { level: 'info', text: '[1]' });
});
