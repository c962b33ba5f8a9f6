import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedLines, neighbour } from '../../src/lineEdits';

const edit = (start: number, end: number, newText: string) => ({
  range: { start: { line: start }, end: { line: end } },
  newText,
});

test('the lines of edits as they are once all are made', () => {
  // Lines 8 becomes one line, 2 and 3 become four, in whatever order they come.
  assert.deepEqual(changedLines([edit(8, 8, 'x'), edit(2, 4, 'a\nb\nc\nd\n')]), [
    { start: 2, end: 5 },
    { start: 10, end: 10 },
  ]);
});

test('a deletion leaves no line to show', () => {
  assert.deepEqual(changedLines([edit(2, 4, ''), edit(6, 6, 'x')]), [
    { start: 2, end: 2 },
    { start: 4, end: 4 },
  ]);
});

test('a line put before another is that line alone', () => {
  assert.deepEqual(changedLines([edit(5, 5, 'new\n')]), [{ start: 5, end: 5 }]);
});

test('from range to range, round at the ends', () => {
  const ranges = [
    { startLine: 5, endLine: 8 },
    { startLine: 20, endLine: 20 },
  ];
  const starts = (line: number) => [
    neighbour(ranges, line, 'next')?.startLine,
    neighbour(ranges, line, 'previous')?.startLine,
  ];
  assert.deepEqual(starts(1), [5, 20]);
  assert.deepEqual(starts(5), [20, 20]);
  assert.deepEqual(starts(9), [20, 5]);
  assert.deepEqual(starts(20), [5, 5]);
  assert.equal(neighbour(ranges.slice(2), 1, 'next'), undefined);
});
