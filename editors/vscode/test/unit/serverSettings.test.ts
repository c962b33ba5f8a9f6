import assert from 'node:assert/strict';
import { test } from 'node:test';
import manifest from '../../package.json';
import { type Lookup, serverSettings, type Settings } from '../../src/serverSettings';

const declared: Record<string, { default: unknown }> = manifest.contributes.configuration.properties;

function lookup(set: Partial<Settings>): Lookup {
  return <K extends keyof Settings>(key: K) =>
    set[key] !== undefined ? (set[key] as Settings[K]) : (declared[`acode.${key}`]?.default as Settings[K]);
}

test('what is not set is left to the configuration of the workspace', () => {
  assert.deepEqual(serverSettings(lookup({})), { diagnostics: false, codeLens: true, hover: true });
});

test('what is set the server is sent', () => {
  const set = serverSettings(
    lookup({ session: 'a', autoExpand: 'off', autoExpandLines: 7, stalePolicy: 'block', codeLens: false }),
  );
  assert.deepEqual(set, {
    diagnostics: false,
    codeLens: false,
    hover: true,
    session: 'a',
    autoExpand: false,
    autoExpandLines: 7,
    stalePolicy: 'block',
  });
});
