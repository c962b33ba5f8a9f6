// Bundles the extension into one file. With --watch it goes on at every change.
import * as esbuild from 'esbuild';

const options = {
  entryPoints: ['src/extension.ts'],
  bundle: true,
  outfile: 'out/extension.js',
  external: ['vscode'],
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  minify: true,
  // The library's packages have an entry for bundlers beside the one for Node.
  mainFields: ['module', 'main'],
  logLevel: 'info',
};

if (process.argv.includes('--watch')) {
  const context = await esbuild.context({ ...options, minify: false, sourcemap: 'inline' });
  await context.watch();
} else {
  await esbuild.build(options);
}
