// Makes the .vsix of one platform, with the server's program in it:
//
//     npm run package -- --target linux-x64
//
// The program needs a C compiler for the full set of languages. That of this
// machine does for its own platform; for another one, CC_FOR_<os>_<arch> names
// it, as in Go's own build: CC_FOR_linux_arm64=aarch64-linux-gnu-gcc. Without
// one the program is built in Go alone, and declarations are found by simpler
// means.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const maxSize = 15 << 20;
const targets = {
  'linux-x64': ['linux', 'amd64'],
  'linux-arm64': ['linux', 'arm64'],
  'darwin-x64': ['darwin', 'amd64'],
  'darwin-arm64': ['darwin', 'arm64'],
  'win32-x64': ['windows', 'amd64'],
  'win32-arm64': ['windows', 'arm64'],
};

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const repository = join(folder, '..', '..');

function fail(message) {
  console.error(`package: ${message}`);
  process.exit(1);
}

function goEnv(name) {
  return execFileSync('go', ['env', name], { cwd: repository, encoding: 'utf8' }).trim();
}

/** Links a program with the C library in it, to see whether that can be done. */
function linksStatically(cc) {
  const [command, ...args] = cc.split(' ');
  const source = 'int main(void) { return 0; }';
  return (
    spawnSync(command, [...args, '-static', '-x', 'c', '-o', '/dev/null', '-'], { input: source }).status ===
    0
  );
}

function buildProgram(target) {
  const [goos, goarch] = targets[target];
  const isNative = goEnv('GOHOSTOS') === goos && goEnv('GOHOSTARCH') === goarch;
  const variable = `CC_FOR_${goos}_${goarch}`;
  const cc = process.env[variable] ?? (isNative && goEnv('CGO_ENABLED') === '1' ? goEnv('CC') : undefined);
  const env = { ...process.env, GOOS: goos, GOARCH: goarch, CGO_ENABLED: cc ? '1' : '0' };
  const flags = ['-trimpath'];
  let ldflags = '-s -w';
  if (cc) {
    env.CC = cc;
    if (goos === 'linux' && linksStatically(cc)) {
      flags.push('-tags', 'netgo,osusergo');
      ldflags += ' -extldflags=-static';
    }
    console.log(`package: building acode-ls for ${target} with ${cc}`);
  } else {
    console.log(
      `package: building acode-ls for ${target} without C; set ${variable} to a C compiler for all languages`,
    );
  }
  const bin = join(folder, 'bin');
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin);
  const file = join(bin, goos === 'windows' ? 'acode-ls.exe' : 'acode-ls');
  const args = ['build', ...flags, '-ldflags', ldflags, '-o', file, './cmd/acode-ls'];
  execFileSync('go', args, { cwd: repository, env, stdio: 'inherit' });
  chmodSync(file, 0o755);
}

const { values } = parseArgs({ options: { target: { type: 'string' } } });
const target = values.target ?? `${process.platform}-${process.arch}`;
if (!(target in targets)) {
  fail(`unknown target "${target}"; known are ${Object.keys(targets).join(', ')}`);
}
buildProgram(target);
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const out = `acode-${target}-${version}.vsix`;
const vsce = join(folder, 'node_modules', '@vscode', 'vsce', 'vsce');
execFileSync(process.execPath, [vsce, 'package', '--target', target, '--no-dependencies', '--out', out], {
  cwd: folder,
  stdio: 'inherit',
});
const { size } = statSync(join(folder, out));
if (size > maxSize) {
  rmSync(join(folder, out));
  fail(`${out} has ${(size / 2 ** 20).toFixed(1)} MB, more than ${maxSize / 2 ** 20}; it was removed`);
}
console.log(`package: ${out}, ${(size / 2 ** 20).toFixed(1)} MB`);
