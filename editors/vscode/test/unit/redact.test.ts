import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../src/redact';

test('home folders become ~ in every spelling', () => {
  assert.equal(redact('/home/ann/a.go file:///home/ann/b', '/home/ann/'), '~/a.go file://~/b');
  assert.equal(
    redact(
      String.raw`C:\Users\Ann B\a "C:\\Users\\Ann B\\a" file:///C:/Users/Ann%20B/a`,
      String.raw`C:\Users\Ann B`,
    ),
    String.raw`~\a "~\\a" file:///~/a`,
  );
  assert.equal(redact('file:///c%3A/Users/x', 'c:/Users/x'), 'file:///~');
  assert.equal(redact('/a', '/'), '/a');
});

test('what looks like a secret becomes ***', () => {
  const want: [string, string][] = [
    ['ghp_abcdefghijklmnopqrst', '***'],
    ['sk-proj-abcdefghijklmnop end', '*** end'],
    ['"token": "abcdefgh"', '"token": "***"'],
    ['Authorization: Bearer abc.def', 'Authorization: Bearer ***'],
    ['https://ann:pass@example.org/', 'https://ann:***@example.org/'],
    ['tokens: 12', 'tokens: 12'],
  ];
  for (const [text, expected] of want) {
    assert.equal(redact(text, '/home/x'), expected);
  }
});
