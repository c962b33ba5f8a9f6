// What an editor shows of what the agent has read.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../agent.ts';
import { closeWindow, openAgent, openWindow, picture, scenario } from '../bench.ts';
import { jar, workspace, write } from '../fixture.ts';
import { eventually, until } from '../until.ts';
import type { DrawnLine, Workbench } from '../workbench.ts';

const [first, last] = jar.unread;
const root = workspace('shop');
let window: Workbench;
let agent: Agent;

/** Asserts that of the lines of jar.go around line exactly from to to are dimmed and barred. */
async function assertUnread(line: number, from: number, to: number): Promise<void> {
  await window.goTo(line);
  await eventually(async () => {
    const lines = await window.lines('/jar.go');
    assert.ok(
      lines.some(({ number }) => number === line),
      `line ${line} is drawn`,
    );
    for (const { number, text, opacity, bar } of lines) {
      const unread = from <= number && number <= to;
      assert.equal(bar !== '', unread, `line ${number} has a bar`);
      if (text.trim() !== '')
        assert.equal(opacity < 1, unread, `line ${number} is dimmed: opacity ${opacity}`);
    }
  });
}

function isPlain({ opacity, bar, background, after }: DrawnLine): boolean {
  return opacity === 1 && bar === '' && background === '' && after === '';
}

/** The marks of the overview ruler that have a hue: those of decorations, not of the editor's own. */
async function rulerMarks(end: string) {
  const marks = await window.ruler(end);
  return marks.filter(({ colour }) => Math.max(...colour) - Math.min(...colour) > 40);
}

scenario('lines left out of a read are dimmed, and no others', async () => {
  window = await openWindow(root);
  await window.open('jar.go');
  agent = await openAgent(root, 'marks');
  const { text } = await agent.callTool('read_file', { path: 'jar.go' });
  assert.ok(
    text.includes(`[Lines ${first}-${last} truncated — contains: func canonicalHost()`),
    text.slice(-2000),
  );
  await assertUnread(first, first, last);
  await picture(window, 'unread');
  await assertUnread(last, first, last);
  await assertUnread(1, first, last);
  await assertUnread(jar.lines, first, last);
});

scenario('the overview ruler marks where unread lines are', async () => {
  const marks = await until('the ruler has a mark', async () => {
    const found = await rulerMarks('/jar.go');
    return found.length > 0 && found;
  });
  assert.equal(marks.length, 1, JSON.stringify(marks));
  const [mark] = marks;
  assert.ok(mark && Math.abs(mark.top - (first - 1) / jar.lines) < 0.01, JSON.stringify(mark));
  assert.ok(mark && Math.abs(mark.bottom - last / jar.lines) < 0.01, JSON.stringify(mark));
});

scenario('the status bar tells how much of the file the agent has read', async () => {
  await window.status('Agent 71 % of this file').waitFor();
});

scenario('a code lens above the first line tells it too', async () => {
  await window.goTo(1);
  await until('the code lens is there', async () =>
    (await window.codeLenses('/jar.go')).join().includes('Agent has read 71 % · 1 unread range'),
  );
});

scenario('the hover of an unread line names what is declared there', async () => {
  const text = await window.hover(300, 10);
  assert.match(text, /282-450|282–450/);
  assert.match(text, /canonicalHost\(\)/);
  await picture(window, 'hover');
  await window.page.keyboard.press('Escape');
});

scenario('one jumps to the next unread range, and back', async () => {
  await window.goTo(1);
  await window.command('Acode: Next Unread Range');
  await window.status(`Ln ${first}, Col 1`).waitFor();
  await window.goTo(jar.lines);
  await window.command('Acode: Previous Unread Range');
  await window.status(`Ln ${first}, Col 1`).waitFor();
});

scenario('typing above unread lines moves their marks', async () => {
  await window.goTo(4);
  await window.page.keyboard.press('Enter');
  await assertUnread(first, first + 1, last + 1);
  await assertUnread(last, first + 1, last + 1);
  await window.undo();
  await assertUnread(first, first, last);
  await until('the file is as it was', async () => !(await window.isDirty('jar.go')));
});

scenario('a file no agent has touched looks as always', async () => {
  await window.open('limits.go');
  await window.page.locator('.tab.active[data-resource-name="limits.go"]').waitFor();
  const lines = await window.lines('/limits.go');
  assert.ok(lines.length >= 7, JSON.stringify(lines));
  assert.deepEqual(
    lines.filter((line) => !isPlain(line)),
    [],
  );
  assert.deepEqual(await rulerMarks('/limits.go'), []);
  assert.deepEqual(await window.codeLenses('/limits.go'), []);
  assert.equal(await window.status('of this file').count(), 0);
  assert.equal(await window.offers('Acode: Next Unread Range'), false);
});

scenario('marks can be hidden, shown again, and are hidden after a reload', async () => {
  await window.open('jar.go');
  await window.command('Acode: Hide What the Agent Has Not Read');
  await assertUnread(first, 0, -1);
  await window.reload();
  await window.status('Agent 71 % of this file').waitFor();
  await assertUnread(first, 0, -1);
  await window.action(
    window.page.locator('.editor-group-container .title'),
    /Show What the Agent Has Not Read/,
  );
  await assertUnread(first, first, last);
});

scenario('each mark can be switched off by its setting', async () => {
  write(
    root,
    '.vscode/settings.json',
    JSON.stringify({
      'acode.unread.dim': false,
      'acode.unread.overviewRuler': false,
      'acode.codeLens': false,
      'acode.session': 'marks',
    }),
  );
  await window.goTo(first);
  await eventually(async () => {
    const line = await window.line('/jar.go', first);
    assert.equal(line.opacity, 1);
    assert.notEqual(line.bar, '');
    assert.deepEqual(await rulerMarks('/jar.go'), []);
  });
  await window.goTo(1);
  await until('the code lens is gone', async () => (await window.codeLenses('/jar.go')).length === 0);
  write(root, '.vscode/settings.json', '{}');
  await until('the code lens is back', async () => (await window.codeLenses('/jar.go')).length > 0);
  await assertUnread(first, first, last);
});

scenario('in a high-contrast theme unread lines keep their contrast, and have the bar', async () => {
  write(
    root,
    '.vscode/settings.json',
    JSON.stringify({ 'workbench.colorTheme': 'Default High Contrast Light' }),
  );
  await window.goTo(first);
  await eventually(async () => {
    const line = await window.line('/jar.go', first);
    assert.equal(line.opacity, 1);
    assert.equal(line.bar, 'rgb(122, 74, 0)');
  });
  await picture(window, 'high-contrast');
  write(root, '.vscode/settings.json', '{}');
  await assertUnread(first, first, last);
});

scenario('marks and status stay when the language of the document is another', async () => {
  await window.command('Change Language Mode');
  await window.quickInput.locator('input').fill('Plain Text');
  await window.pick(/^Plain Text/);
  await window.status('Plain Text').waitFor();
  await assertUnread(first, first, last);
  await window.status('Agent 71 % of this file').waitFor();
});

scenario('lines the agent reads later lose their marks', async () => {
  await agent.callTool('read_file', { path: 'jar.go', start_line: first, end_line: 300 });
  await assertUnread(first, 301, last);
  await window.status('Agent 74 % of this file').waitFor();
});

scenario('a line that changes on disk is marked', async () => {
  const text = readFileSync(join(root, 'jar.go'), 'utf8').split('\n');
  assert.equal(text[9], '\t"errors"');
  text[9] = '\t"errors" // changed by another program';
  await window.goTo(1); // before, as VS Code moves the cursor when it takes over the text
  write(root, 'jar.go', text.join('\n'));
  await eventually(async () => {
    const lines = await window.lines('/jar.go');
    const changed = lines.filter(({ background }) => background !== '').map(({ number }) => number);
    assert.deepEqual(changed, [10], JSON.stringify(lines.slice(0, 12)));
    const blue = (await rulerMarks('/jar.go')).filter(({ colour: [red, , blue] }) => blue > red);
    assert.ok(blue.length > 0 && blue.every(({ top }) => top < 0.03), JSON.stringify(blue));
  });
  await picture(window, 'changed');
});

scenario('marks are no problems unless diagnostics are asked for', async () => {
  assert.equal(
    await window.page
      .locator('#status\\.problems')
      .innerText()
      .then((text) => text.replace(/\s+/g, ' ').trim()),
    '0 0',
  );
  await closeWindow(window);
});
