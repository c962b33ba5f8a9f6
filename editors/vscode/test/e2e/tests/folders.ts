// Several folders in a window.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { closeWindow, openAgent, openWindow, picture, scenario } from '../bench.ts';
import { workspace, write } from '../fixture.ts';
import { until } from '../until.ts';

scenario('two folders in a window each have their agents', async () => {
  const one = workspace('one');
  const two = workspace('two', { 'only.go': readFileSync(join(one, 'jar.go'), 'utf8') });
  write(dirname(one), 'both.code-workspace', JSON.stringify({ folders: [{ path: one }, { path: two }] }));
  const window = await openWindow(one, { workspace: join(dirname(one), 'both.code-workspace') });
  await window.open('only.go');
  const [first, second] = [await openAgent(one, 'first'), await openAgent(two, 'second')];
  await first.callTool('read_file', { path: 'limits.go' });
  await second.callTool('read_file', { path: 'only.go' });
  await window.status('Agent 71 % of this file').waitFor();
  await window.command('View: Show Acode');
  const section = await window.section('Agent Awareness');
  await until(
    'both sessions are listed',
    async () => (await window.rows(section)).filter(({ level }) => level === 1).length === 2,
  );
  await picture(window, 'folders');
  await closeWindow(window);
});
