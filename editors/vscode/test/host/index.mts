// VS Code calls run in its extension host. Each result goes to the console,
// from where the test that opened the window takes it (test/e2e/host.ts).
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const kit = process.env['ACODE_VSCODE'] ?? '';
const Mocha = createRequire(join(kit, 'package.json'))('mocha') as typeof import('mocha');

export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, reporter: 'min', color: false });
  for (const file of readdirSync(import.meta.dirname)) {
    if (file.endsWith('.test.mts')) mocha.addFile(join(import.meta.dirname, file));
  }
  await mocha.loadFilesAsync();
  return new Promise((resolve, reject) => {
    const runner = mocha.run((failures) => {
      if (failures === 0) resolve();
      else reject(new Error(`${failures} failed`));
    });
    const tell = (title: string, failure?: string) =>
      console.log(JSON.stringify({ acodeTest: title, failure }));
    runner.on('pass', (test) => tell(test.fullTitle()));
    runner.on('fail', (test, error: Error) => tell(test.fullTitle(), error.stack ?? error.message));
    runner.on('pending', (test) => tell(test.fullTitle(), 'it was skipped'));
  });
}
