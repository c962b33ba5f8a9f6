// What did not fit: listed, opened, exported, deleted.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../agent.ts';
import { closeWindow, openAgent, openWindow, picture, scenario } from '../bench.ts';
import { workspace } from '../fixture.ts';
import { until } from '../until.ts';
import type { Workbench } from '../workbench.ts';

const root = workspace('outputs');
let window: Workbench;
let agent: Agent;

const artifacts = () => window.section('Artifacts');

/** Has the agent run a command whose output becomes an artifact, and returns its id. */
async function makeArtifact(command: string, by = agent): Promise<string> {
  const { text } = await by.callTool('execute_command', { command });
  const id = /\[Artifact: (art_\w+)\]/.exec(text)?.[1];
  assert.ok(id, text.slice(0, 300));
  return id;
}

async function rowOf(summary: RegExp) {
  const section = await artifacts();
  const row = window.row(section, summary);
  await row.waitFor();
  return row;
}

scenario('output that does not fit appears in the view, and opens in a tab', async () => {
  window = await openWindow(root);
  await window.command('View: Show Acode');
  agent = await openAgent(root, 'artifacts');
  await agent.callTool('read_file', { path: 'limits.go' });
  const id = await makeArtifact('seq 1 20000');
  const row = await rowOf(/seq 1 20000/);
  await row.click();
  await window.tab(`${id}.txt`).waitFor();
  assert.equal((await window.line(`/${id}.txt`, 1)).text, '1');
  await window.goTo(20000);
  assert.equal((await window.line(`/${id}.txt`, 20000)).text, '20000');
  await picture(window, 'artifact');
});

scenario('an artifact of 9 MB opens and can be searched', async () => {
  const id = await makeArtifact(
    'awk \'BEGIN { for (i = 1; i <= 180000; i++) print (i % 60000 ? "all is well in line " : "needle in line ") i, "of the log of a test" }\'',
  );
  const row = await rowOf(/awk/);
  await row.click();
  await window.tab(`${id}.txt`).waitFor();
  await window.line(`/${id}.txt`, 1);
  assert.match(await window.find('needle in'), /of 3$/);
  await picture(window, 'artifact-find');
});

scenario('an artifact can be exported', async () => {
  const row = await rowOf(/seq 1 20000/);
  await window.action(row, 'Export…');
  const name = await window.accept(/\/(art_\w+\.txt)$/);
  const text = await until('the file is written', () => readFileSync(join(root, name), 'utf8'));
  assert.equal(text, Array.from({ length: 20000 }, (_, i) => `${i + 1}\n`).join(''));
});

scenario("an artifact's id can be copied", async () => {
  const row = await rowOf(/seq 1 20000/);
  await window.menu(row, 'Copy Id');
  const id = await until('the clipboard has an id', async () => {
    const text = await window.page.evaluate(() => navigator.clipboard.readText());
    return text.startsWith('art_') && text;
  });
  const { text } = await agent.callTool('get_artifact', { id, start_line: 5, end_line: 5 });
  assert.match(text, /^5$/m);
});

scenario('an artifact can be deleted, after a question', async () => {
  const section = await artifacts();
  const before = await section.locator('.monaco-list-row').count();
  await window.action(await rowOf(/seq 1 20000/), 'Delete');
  const dialog = window.dialog('The agent can no longer fetch it.');
  await dialog.waitFor();
  await picture(window, 'delete');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await section.locator('.monaco-list-row').count(), before);
  const id = await window.page.evaluate(() => navigator.clipboard.readText());
  await window.action(await rowOf(/seq 1 20000/), 'Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await window.row(section, /seq 1 20000/).waitFor({ state: 'detached' });
  const { isError, text } = await agent.callTool('get_artifact', { id });
  assert.equal(isError, true);
  assert.match(text, /404: artifact not found/);
});

scenario('the output of an agent that has read no file appears too', async () => {
  await makeArtifact('seq 1 30000', await openAgent(root, 'runner'));
  await rowOf(/seq 1 30000/);
  await closeWindow(window);
});
