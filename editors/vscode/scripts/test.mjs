// Bundles the tests of pure functions and runs them with Node's own runner.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import * as esbuild from 'esbuild';

const outdir = 'out/test';
rmSync(outdir, { recursive: true, force: true });
await esbuild.build({
  entryPoints: readdirSync('test/unit').map((name) => `test/unit/${name}`),
  bundle: true,
  outdir,
  outExtension: { '.js': '.cjs' },
  platform: 'node',
  format: 'cjs',
  sourcemap: 'inline',
});
const files = readdirSync(outdir).map((name) => `${outdir}/${name}`);
const { status } = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...files], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
