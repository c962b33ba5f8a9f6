import assert from 'node:assert/strict';
import test from 'node:test';
import type { SessionInfo } from '../../src/protocol';
import { hookSession } from '../../src/toolSession';

function session(id: string, agent: string, ended = false): SessionInfo {
  return { id, agent, ended, active: false, files: 0, lastUsed: '' };
}

test('the tools work in the session that hooks have begun, if there is one and no more', () => {
  const others = [
    session('vscode', 'vscode'),
    session('vscode-12ab34cd', 'vscode'),
    session('a', 'claude-code'),
    session('b', 'vscode', true),
  ];
  assert.equal(hookSession(others), undefined);
  assert.equal(hookSession([...others, session('c', 'vscode')]), 'c');
  assert.equal(hookSession([...others, session('c', 'vscode'), session('d', 'vscode')]), undefined);
});
