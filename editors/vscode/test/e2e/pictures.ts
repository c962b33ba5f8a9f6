// The pictures of the README, docs/images/vscode-*.png, taken of a real VS Code:
//
//     npm --prefix editors/vscode run pictures
//
// It needs what the tests need (see scripts/check-vscode), and pngquant.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { closeWindow, openAgent, openWindow, start, stop } from './bench.ts';
import { repository } from './environment.ts';
import { workspace } from './fixture.ts';
import { until } from './until.ts';
import type { Workbench } from './workbench.ts';

const maxSize = 150 * 1024;
const titleBar = 35;
const dark = 'Dark 2026';
const light = 'Light 2026';
const folder = join(repository, 'docs/images');

const log = `#!/bin/sh
# Stands for a test run that says a lot.
for package in cart checkout cookiejar invoice limits prices stock; do
	i=1
	while [ $i -le 120 ]; do
		echo "=== RUN   Test\${package}/case_$i"
		echo "    \${package}_test.go:$((i + 40)): placed order $((i * 7)), $((i % 9 + 1)) items"
		echo "--- PASS: Test\${package}/case_$i (0.0$((i % 10))s)"
		i=$((i + 1))
	done
	echo "ok  	example.com/shop/$package	1.4\${i}s"
done
`;

const prices = `#!/bin/sh
awk 'BEGIN { printf "["; for (i = 1; i <= 1500; i++) printf "%s\\n  {\\"sku\\": \\"A-%04d\\", \\"price\\": %d.%02d, \\"stock\\": %d}", (i > 1 ? "," : ""), i, i % 90, i % 100, i % 12; print "\\n]" }'
`;

/** What says nothing of the extension is left out of the picture. */
const style = `
  .part.titlebar,
  .statusbar-item[id="status.host"],
  .statusbar-item[id="status.forwardedPorts"],
  .statusbar-item[id="status.workbench.keyboardLayout"],
  .statusbar-item[id="chat.statusBarEntry"],
  .statusbar-item[id^="status.languageStatus"],
  .notification-list-item-source { visibility: hidden }
`;

async function open(name: string, theme: string): Promise<Workbench> {
  const jar = readFileSync(join(repository, 'testdata/sources/go/jar.go'), 'utf8');
  const files = {
    'jar.go': `package cookiejar\n\n${jar.slice(jar.indexOf('// Jar implements'))}`,
    'run-tests.sh': log,
    'prices.sh': prices,
  };
  const root = workspace(name, files, {
    'workbench.colorTheme': theme,
    'git.enabled': false,
    'acode.autoExpand': 'off', // lines that are handed out lose their marks
  });
  const window = await openWindow(root, undefined, {
    viewport: { width: 1280, height: 800 + titleBar },
    deviceScaleFactor: 2,
  });
  await window.page.addStyleTag({ content: style });
  await window.command('View: Show Acode');
  // Wide enough for what the rows say.
  await window.page.mouse.move(350, 400);
  await window.page.mouse.down();
  await window.page.mouse.move(430, 400, { steps: 5 });
  await window.page.mouse.up();
  return window;
}

/** Stores what the window shows, in few colours. */
async function shoot(window: Workbench, name: string): Promise<void> {
  await window.page.mouse.move(760, 640);
  const png = await window.page.screenshot({ clip: { x: 0, y: titleBar, width: 1280, height: 800 } });
  const small = execFileSync('pngquant', ['--strip', '--speed=1', '--nofs', '--quality=60-97', '-'], {
    input: png,
    maxBuffer: 16 << 20,
  });
  assert.ok(small.length < maxSize, `${name} has ${small.length} bytes`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `vscode-${name}.png`), small);
  console.log(`vscode-${name}.png, ${Math.round(small.length / 1024)} KB`);
}

/** An agent that has read some of the shop, and a window that shows it. */
async function shop(theme: string) {
  const window = await open('shop', theme);
  await window.open('jar.go');
  const agent = await openAgent(window.root, 'claude-code');
  await agent.callTool('read_file', { path: 'limits.go' });
  await agent.callTool('read_file', { path: 'lex.go', start_line: 1, end_line: 120 });
  await agent.callTool('read_file', { path: 'jar.go', start_line: 1, end_line: 17 });
  await agent.callTool('read_file', { path: 'jar.go', start_line: 30, end_line: 270 });
  await agent.callTool('read_file', { path: 'jar.go', start_line: 340, end_line: 410 });
  await window.status(/Agent \d+ % of this file/).waitFor();
  const section = await window.section('Agent Awareness');
  const row = window.row(section, 'jar.go');
  await window.expand(row);
  await until('ranges say what they declare', async () =>
    (await window.rows(section)).some(({ description }) => description.includes('func New()')),
  );
  return { window, agent };
}

async function unread(look: 'dark' | 'light'): Promise<void> {
  const { window, agent } = await shop(look === 'dark' ? dark : light);
  await window.goTo(1);
  await until('the code lens is there', async () => (await window.codeLenses('/jar.go')).length > 0);
  await shoot(window, `unread-${look}`);
  if (look === 'dark') {
    await agent.callTool('edit_file', {
      path: 'jar.go',
      edits: [{ start_line: 21, end_line: 28, new_text: 'func New() *Jar {\n\treturn &Jar{}' }],
    });
    await window.notification('was refused').waitFor();
    await shoot(window, 'refused');
  }
  await closeWindow(window);
}

async function unsaved(): Promise<void> {
  const { window, agent } = await shop(dark);
  await window.open('limits.go');
  await window.goTo(7, 14);
  await window.type(' // not for samples');
  await until('the server knows of the change', async () => (await window.line('/limits.go', 7)).background !== '');
  const answer = agent.callTool('edit_file', {
    path: 'limits.go',
    edits: [{ old_text: 'const Max = 40', new_text: 'const Max = 60' }],
  });
  const dialog = window.dialog('An agent wants to edit limits.go');
  await dialog.waitFor();
  await shoot(window, 'unsaved');
  await dialog.getByRole('button', { name: 'Refuse' }).click();
  await answer;
  await closeWindow(window);
}

async function artifact(): Promise<void> {
  const { window, agent } = await shop(dark);
  await agent.callTool('execute_command', { command: 'sh prices.sh' });
  await agent.callTool('execute_command', { command: 'sh run-tests.sh' });
  const section = await window.section('Artifacts');
  await window.row(section, /prices/).waitFor();
  await window.row(section, /run-tests/).click();
  await window.page.locator('.tab.active[data-resource-name^="art_"]').waitFor();
  await until('its text is drawn', async () => (await window.text('.txt')).includes('=== RUN'));
  await window.goTo(1);
  await shoot(window, 'artifact');
  await closeWindow(window);
}

await start();
try {
  await unread('dark');
  await unread('light');
  await unsaved();
  await artifact();
} finally {
  await stop();
}
process.exit();
