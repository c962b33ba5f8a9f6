// The server's life: killed, missing, wrong, right; and what its program writes for agents.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { closeWindow, openAgent, openWindow, picture, scenario } from '../bench.ts';
import { scratch, server } from '../environment.ts';
import { workspace, write } from '../fixture.ts';
import { servers, usedServers } from '../servers.ts';
import { until } from '../until.ts';
import type { Workbench } from '../workbench.ts';

let window: Workbench;

scenario('a server that is killed is started again, and knows what was read', async () => {
  const root = workspace('office');
  window = await openWindow(root);
  await window.open('jar.go');
  const agent = await openAgent(root, 'server');
  await agent.callTool('read_file', { path: 'jar.go' });
  await window.status('Agent 71 % of this file').waitFor();
  const [before, ...more] = servers(root);
  assert.ok(before !== undefined && more.length === 0, `one server works in ${root}`);
  process.kill(before, 'SIGKILL');
  const after = await until('another server works', () => usedServers(root).find((pid) => pid !== before));
  assert.notEqual(after, before);
  await window.status('Agent 71 % of this file').waitFor();
  await agent.callTool('read_file', { path: 'jar.go', start_line: 282, end_line: 300 });
  await window.status('Agent 74 % of this file').waitFor();
});

scenario('the server can be restarted by command', async () => {
  const root = window.root;
  const [before] = servers(root);
  await window.command('Acode: Restart Server');
  await until('another server works', () => usedServers(root).some((pid) => pid !== before));
  await window.status('Agent 74 % of this file').waitFor();
  assert.equal(servers(root).length, 1);
});

scenario('diagnostics are collected into a document', async () => {
  await window.command('Acode: Collect Diagnostics');
  const text = await until('the report is shown', async () => {
    const shown = await window.text('Untitled-1');
    return shown.includes('# Acode diagnostics') && shown;
  });
  const { version } = JSON.parse(execFileSync(server, ['--json', 'version'], { encoding: 'utf8' })).data as {
    version: string;
  };
  assert.ok(text.includes(`acode-ls ${version}`), text);
  assert.match(text, /Server: running/);
  assert.ok(!text.includes(join(scratch, 'home')), 'the home folder is not shown');
  await picture(window, 'diagnostics');
});

scenario('a server that keeps crashing is given up, until the person starts it again', async () => {
  const { root } = window;
  await window.open('jar.go');
  for (let crash = 1; crash <= 4; crash++) {
    const pid = await until(`a server works, to be killed for the ${crash}. time`, () => usedServers(root)[0]);
    await window.status('Agent 74 % of this file').waitFor();
    // The status of the server that ends must not be taken for that of the next one.
    const gone = window.page.waitForFunction(
      () =>
        !document
          .querySelector('.part.statusbar')
          ?.textContent?.replaceAll('\u00a0', ' ')
          .includes('of this file'),
    );
    process.kill(pid, 'SIGKILL');
    await gone;
  }
  const message = window.notification('acode-ls ended 4 times within three minutes.');
  await message.waitFor();
  await window.press(message, 'Restart');
  await until('a server works again', () => usedServers(root).length === 1);
  await closeWindow(window);
});

/** Writes a program that can be named as the server's. */
function program(name: string, script: string): string {
  const path = join(scratch, name);
  write(scratch, name, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const missing = join(scratch, 'nowhere/acode-ls');
const lone = workspace('lone', {}, { 'acode.server.path': missing });

function useServer(path: string): void {
  write(lone, '.vscode/settings.json', JSON.stringify({ 'acode.server.path': path }));
}

scenario('a program that is missing is named, with what to do', async () => {
  window = await openWindow(lone);
  await window.notification(`acode-ls was not found at ${missing}. Correct acode.server.path`).waitFor();
  await window.status('acode-ls').waitFor();
  // What the status bar tells in its tooltip, it tells those too who cannot point at it.
  await window.page
    .locator(`.statusbar-item [aria-label^="acode-ls was not found at ${missing}"]`)
    .waitFor({ state: 'attached' });
  await picture(window, 'missing');
});

scenario('a program that does not start is named', async () => {
  const broken = program('broken-acode-ls', 'echo "out of order" >&2\nexit 1');
  useServer(broken);
  await window.notification(`acode-ls at ${broken} did not start`).waitFor();
  await picture(window, 'broken');
});

scenario('a server that speaks another protocol is not used', async () => {
  useServer(
    program('old-acode-ls', `exec '${process.execPath}' '${join(import.meta.dirname, '../old-server.ts')}'`),
  );
  await window
    .notification('acode-ls 0.9.0 speaks protocol 2, this extension 1; update the extension.')
    .waitFor();
});

scenario('a server that has ended, and whose program is gone, is told of', async () => {
  const moved = program('moved-acode-ls', `exec '${server}' "$@"`);
  useServer(moved);
  const pid = await until('a server works', () => usedServers(lone)[0]);
  await until('the status bar no longer warns', async () => (await window.status('acode-ls').count()) === 0);
  rmSync(moved);
  process.kill(pid, 'SIGKILL');
  await window.notification(`acode-ls was not found at ${moved}.`).waitFor();
  await window.status('acode-ls').waitFor();
});

scenario('once the path is right, the server works', async () => {
  useServer(server);
  await until('a server works', () => usedServers(lone).length === 1);
  await until('the status bar no longer warns', async () => (await window.status('acode-ls').count()) === 0);
});

scenario('connecting an agent shows its settings first, and writes them if told to', async () => {
  await window.clearNotifications();
  await window.command('Acode: Connect an Agent…');
  await window.pick('Claude Code');
  const message = window.notification(/Write the settings of Claude Code\?/);
  await message.waitFor();
  await picture(window, 'connect');
  assert.ok(!existsSync(join(lone, '.mcp.json')), 'nothing is written before the answer');
  await window.press(message, 'Write');
  await window.notification(/Claude Code is connected/).waitFor();
  assert.match(readFileSync(join(lone, '.mcp.json'), 'utf8'), /acode-ls/);
  await closeWindow(window);
});
