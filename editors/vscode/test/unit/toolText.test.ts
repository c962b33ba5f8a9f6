import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EditResult } from '../../src/protocol';
import { artifactText, editText, stateSummary } from '../../src/toolText';

const allowed: EditResult = {
  allowed: true,
  blocks: [],
  warnings: [],
  expanded: [],
  applied: true,
  sha256: { 'file:///a': 'abc' },
};

test('a refusal has the exact message first, then the missing lines', () => {
  const message = 'Lines 3-4 were not read. Read that range first.';
  const block = {
    uri: 'file:///a',
    reason: 'no_coverage',
    unreadRanges: [{ startLine: 3, endLine: 4 }],
    message,
  };
  const expanded = [{ uri: 'file:///a', startLine: 3, endLine: 4, content: '3\tc\n4\td' }];
  const text = editText(
    { ...allowed, allowed: false, applied: false, blocks: [block], expanded, sha256: {} },
    false,
  );
  assert.equal(text, `${message}\n3\tc\n4\td`);
});

test('an edit says what came of it', () => {
  assert.equal(editText(allowed, false), 'Applied.\nsha256: abc');
  assert.equal(
    editText({ ...allowed, applied: false, failureReason: 'the person refused', sha256: {} }, false),
    'Not applied: the person refused.',
  );
  assert.equal(editText({ ...allowed, sha256: {} }, true), 'The edit is allowed. Nothing was changed.');
});

test('a part of an artifact says where to go on', () => {
  const range = { startLine: 1, endLine: 2, startByte: 0, endByte: 9 };
  const part = { content: 'a\nb', range, totalLines: 9, totalBytes: 90 };
  assert.equal(artifactText(part), 'a\nb');
  assert.match(artifactText({ ...part, truncated: true }), /go on at start_byte=9 of 90/);
  assert.match(artifactText({ ...part, range: null, truncated: true, values: 2, found: 5 }), /2 of 5 values/);
});

test('the state of files, one a line', () => {
  const file = {
    uri: 'a.go',
    state: 'partial_read',
    stale: false,
    readRanges: [],
    unreadRanges: [{ startLine: 3, endLine: 4 }],
    changedRanges: [],
    totalLines: 8,
    coverage: 0.75,
    rounds: 1,
  };
  const text = stateSummary({ session: 's', files: [file], summary: '' }, (uri) => uri);
  assert.equal(text, 'a.go: read in part, 75 % of 8 lines; not read: Lines 3–4');
  assert.equal(stateSummary({ session: 's', files: [], summary: '' }, String), 'No file was read.');
});
