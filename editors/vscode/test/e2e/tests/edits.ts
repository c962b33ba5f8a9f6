// Edits of an agent while the person looks, types, or has not saved.
import assert from 'node:assert/strict';
import process from 'node:process';
import type { Agent } from '../agent.ts';
import { closeWindow, openAgent, openWindow, picture, scenario } from '../bench.ts';
import { workspace } from '../fixture.ts';
import { servers, usedServers } from '../servers.ts';
import { eventually, until } from '../until.ts';
import type { Workbench } from '../workbench.ts';

const root = workspace('till');
let window: Workbench;
let agent: Agent;

const lineText = async (end: string, number: number) => (await window.line(end, number)).text;

scenario('an edit of unread lines is refused, and a message goes to them', async () => {
  window = await openWindow(root);
  await window.open('jar.go');
  agent = await openAgent(root, 'edits');
  await agent.callTool('read_file', { path: 'jar.go' });
  await window.status('Agent 71 % of this file').waitFor();
  await window.open('limits.go');
  const edit = { path: 'jar.go', edits: [{ start_line: 281, end_line: 283, new_text: '\t} // made up' }] };
  const refused = await agent.callTool('edit_file', edit);
  assert.equal(refused.isError, true);
  assert.match(refused.text, /^Lines 282-283 were not read\. Read that range first\./);
  const message = window.notification(
    'An edit of jar.go by edits was refused: it has not read lines 282–283, and was told so.',
  );
  await message.waitFor();
  await picture(window, 'refused');
  await window.press(message, 'Show Lines');
  await window.status('Ln 282, Col 1').waitFor();
  assert.equal(await window.tab('jar.go').getAttribute('aria-selected'), 'true');
  assert.equal(await window.isDirty('jar.go'), false);
});

scenario('of a refusal that names no lines, the message opens the file', async () => {
  await agent.callTool('read_file', { path: 'lex.go', start_line: 1, end_line: 5 });
  const { text } = await agent.callTool('edit_file', {
    path: 'lex.go',
    edits: [{ start_line: 1, end_line: 1, new_text: '// [REDACTED: api_key]' }],
  });
  assert.match(text, /^The new text holds a redaction placeholder\./);
  const message = window.notification('An edit of lex.go by edits was refused. The new text holds');
  await window.press(message, 'Open File');
  await window.tab('lex.go').waitFor();
  await window.open('jar.go');
});

scenario('the next try lands as one undo step, with a flash', async () => {
  const shown = async () => Promise.all([281, 282, 283].map((number) => lineText('/jar.go', number)));
  const before = await shown();
  const flashed = window.page.waitForFunction(() =>
    [...document.querySelectorAll('.monaco-editor[data-uri$="/jar.go"] .view-overlays .cdr')].some(
      (element) => {
        const [red = 0, green = 0, blue = 0] =
          getComputedStyle(element)
            .backgroundColor.match(/[\d.]+/g)
            ?.map(Number) ?? [];
        return green > red && green > blue;
      },
    ),
  );
  const edit = {
    path: 'jar.go',
    edits: [{ start_line: 281, end_line: 283, new_text: '\t// one\n\t// two\n\t// three' }],
  };
  const applied = await agent.callTool('edit_file', edit);
  assert.ok(!applied.isError, applied.text);
  await flashed;
  await eventually(async () => assert.deepEqual(await shown(), ['    // one', '    // two', '    // three']));
  await window.undo();
  await eventually(async () => assert.deepEqual(await shown(), before));
});

scenario('before it edits unsaved text it has not seen, the person is asked, and Enter refuses', async () => {
  await window.open('limits.go');
  await agent.callTool('read_file', { path: 'limits.go' });
  await window.goTo(1);
  await window.type('//');
  await until(
    'the server knows of the change',
    async () => (await window.line('/limits.go', 1)).background !== '',
  );
  const answer = agent.callTool('edit_file', {
    path: 'limits.go',
    edits: [{ old_text: 'const Max = 40', new_text: 'const Max = 41' }],
  });
  const dialog = window.dialog(
    /An agent wants to edit limits.go, which has unsaved changes it has not seen.*limits.go: Line 4/s,
  );
  await dialog.waitFor();
  await picture(window, 'unsaved');
  // A person who types must not agree by chance.
  await window.page.keyboard.press('Enter');
  const { isError, text } = await answer;
  assert.equal(isError, true, text);
  assert.match(text, /the person refused the edit/);
  assert.equal(await lineText('/limits.go', 4), 'const Max = 40');
});

scenario('… or let it through, and keeps what was typed', async () => {
  const answer = agent.callTool('edit_file', {
    path: 'limits.go',
    edits: [{ old_text: 'const Max = 40', new_text: 'const Max = 42' }],
  });
  const dialog = window.dialog('An agent wants to edit limits.go');
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  const { isError, text } = await answer;
  assert.ok(!isError, text);
  await until(
    'the edit is in the editor',
    async () => (await lineText('/limits.go', 4)) === 'const Max = 42',
  );
  assert.equal(await lineText('/limits.go', 1), '//package limits');
});

scenario('it asks before it deletes a file with unsaved changes', async () => {
  await agent.callTool('read_file', { path: 'limits.go' });
  const answer = agent.callTool('delete_file', { path: 'limits.go' });
  const dialog = window.dialog('An agent wants to delete limits.go, which has unsaved changes.');
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Refuse' }).click();
  const { isError, text } = await answer;
  assert.equal(isError, true, text);
  assert.match(text, /the person refused the edit/);
  assert.equal(await lineText('/limits.go', 4), 'const Max = 42');
});

scenario('an answer that comes after the server has ended changes nothing', async () => {
  await window.goTo(6);
  await window.type('//');
  await until(
    'the server knows of the change',
    async () => (await window.line('/limits.go', 6)).background !== '',
  );
  const answer = agent.callTool('edit_file', {
    path: 'limits.go',
    edits: [{ old_text: 'const Min = 1', new_text: 'const Min = 2' }],
  });
  const dialog = window.dialog('An agent wants to edit limits.go');
  await dialog.waitFor();
  const [pid] = servers(root);
  assert.ok(pid !== undefined);
  process.kill(pid, 'SIGKILL');
  await until('another server works', () => usedServers(root).some((other) => other !== pid));
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await window.notification('The agent has gone on meanwhile: nothing was changed.').waitFor();
  assert.equal(await lineText('/limits.go', 7), 'const Min = 1');
  assert.match((await answer).text, /server ended before it answered/);
  await closeWindow(window);
});
