// The view of sessions, files and unread ranges.
import assert from 'node:assert/strict';
import type { Agent } from '../agent.ts';
import { closeWindow, openAgent, openWindow, picture, scenario } from '../bench.ts';
import { jar, workspace } from '../fixture.ts';
import { eventually, until } from '../until.ts';
import type { Workbench } from '../workbench.ts';

const [first, last] = jar.unread;
const root = workspace('library');
let window: Workbench;
let agent: Agent;

const awareness = () => window.section('Agent Awareness');

scenario('the view invites to connect an agent while there is none', async () => {
  window = await openWindow(root);
  await window.command('View: Show Acode');
  const section = await awareness();
  await section.getByText('No agent has read anything in this workspace yet.').waitFor();
  await picture(window, 'no-agent');
});

scenario('the view follows what agents read', async () => {
  agent = await openAgent(root, 'views');
  await agent.callTool('read_file', { path: 'jar.go' });
  const section = await awareness();
  await window.expand(window.row(section, 'views'));
  await window.row(section, 'jar.go').waitFor();
  const shown = (await window.rows(section)).map(
    ({ label, description, level }) => `${level} ${label} ${description}`,
  );
  assert.match(shown[1] ?? '', /^2 jar\.go .*71 %/);
  await agent.callTool('read_file', { path: 'limits.go' });
  await window.row(section, 'limits.go').waitFor();
  await agent.callTool('read_file', { path: 'jar.go', start_line: first, end_line: 300 });
  await eventually(async () => {
    const row = (await window.rows(section)).find(({ label }) => label === 'jar.go');
    assert.match(row?.description ?? '', /74 %/);
  });
  assert.equal(
    await window.row(section, 'jar.go').getAttribute('aria-label'),
    'jar.go, 74 % read, read in part, 1 unread range',
  );
});

scenario('a file shows its unread ranges with what they declare, and a click goes there', async () => {
  await window.open('jar.go');
  const section = await awareness();
  await window.expand(window.row(section, 'jar.go'));
  const range = window.row(section, `Lines 301–${last}`);
  await range.waitFor();
  await until('it says what is declared there', async () => {
    const row = (await window.rows(section)).find(({ label }) => label === `Lines 301–${last}`);
    return row?.description.includes('canonicalHost()');
  });
  await range.click();
  await window.tab('jar.go').waitFor();
  await window.status('Ln 301, Col 1').waitFor();
  await picture(window, 'view');
});

scenario('a range can be marked as read', async () => {
  const section = await awareness();
  await window.action(window.row(section, `Lines 301–${last}`), 'Mark as Read by the Agent');
  await eventually(async () => {
    const row = (await window.rows(section)).find(({ label }) => label === 'jar.go');
    assert.match(row?.description ?? '', /100 %/);
  });
  await window.status('Agent 100 % of this file').waitFor();
});

scenario('what was read of a file can be forgotten', async () => {
  const section = await awareness();
  await window.menu(window.row(section, 'limits.go'), 'Forget What the Agent Has Read of This File');
  await window.row(section, 'limits.go').waitFor({ state: 'detached' });
  const { text } = await agent.callTool('edit_file', {
    path: 'limits.go',
    edits: [{ start_line: 4, end_line: 4, new_text: 'const Max = 41' }],
  });
  assert.match(text, /^File has not been read/);
});

scenario('one can choose the session that is shown, and follow the latest again', async () => {
  const other = await openAgent(root, 'other');
  await other.callTool('read_file', { path: 'lex.go', start_line: 1, end_line: 10 });
  await window.open('jar.go');
  await until(
    'jar.go, which the latest session has not read, has no status',
    async () => (await window.status('of this file').count()) === 0,
  );
  await window.command('Acode: Choose the Session to Show…');
  await window.pick(/views ·/);
  await window.status('Agent 100 % of this file').waitFor();
  const section = await awareness();
  await eventually(async () => {
    const pinned = (await window.rows(section)).filter(({ description }) => description.startsWith('shown'));
    assert.equal(pinned.length, 1);
  });
  await window.command('Acode: Follow the Latest Session');
  await until('jar.go has no status again', async () => (await window.status('of this file').count()) === 0);
  await closeWindow(window);
});
