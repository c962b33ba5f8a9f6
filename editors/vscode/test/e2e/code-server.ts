// VS Code served to a browser, with a profile of its own.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { environment, kit, node, scratch } from './environment.ts';
import { until } from './until.ts';

const entry = join(kit, 'node_modules/code-server/out/node/entry.js');
const config = join(scratch, 'config.yaml');
const extensions = join(scratch, 'extensions');

/** Nothing here may draw over what the tests look at, or reach for the network. */
const settings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'git.autofetch': false,
  'scm.diffDecorations': 'none',
  'editor.minimap.enabled': false,
  'editor.smoothScrolling': false,
  'editor.cursorBlinking': 'solid',
  'editor.occurrencesHighlight': 'off',
  'editor.matchBrackets': 'never',
  'editor.scrollBeyondLastLine': false,
  'editor.hover.delay': 100,
  'editor.stickyScroll.enabled': false,
  'files.autoSave': 'off',
  'chat.commandCenter.enabled': false,
};

export interface CodeServer {
  /** Such as http://127.0.0.1:40123 */
  readonly origin: string;
  /** Its profile; logs lie in logs, and what it said in code-server.log. */
  readonly folder: string;
  stop(): Promise<void>;
}

const variables = {
  ...environment,
  EXTENSIONS_GALLERY: '{"serviceUrl":"","itemUrl":"","resourceUrlTemplate":"","controlUrl":""}',
};

/** Installs the extension for the servers that are started later. */
export async function installExtension(vsix: string): Promise<void> {
  writeFileSync(config, '{}\n');
  const args = [
    entry,
    '--config',
    config,
    '--user-data-dir',
    join(scratch, 'install'),
    '--extensions-dir',
    extensions,
  ];
  const { stdout, stderr } = await promisify(execFile)(node, [...args, '--install-extension', vsix], {
    env: variables,
    timeout: 60_000,
  });
  if (!/successfully installed/.test(stdout)) throw new Error(`installing ${vsix}: ${stdout}${stderr}`);
}

/**
 * Starts a server with a profile of its own on a port the system chooses.
 * Only with driver do its pages take an extension's tests to run, and then
 * they show no notifications.
 */
export async function startCodeServer(name: string, options: { driver?: boolean } = {}): Promise<CodeServer> {
  const folder = join(scratch, name);
  mkdirSync(join(folder, 'User'), { recursive: true });
  writeFileSync(join(folder, 'User/settings.json'), JSON.stringify(settings, null, 2));
  const args = [
    `--config=${config}`,
    `--user-data-dir=${folder}`,
    `--extensions-dir=${extensions}`,
    '--auth=none',
    '--bind-addr=127.0.0.1:0',
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-workspace-trust',
    '--disable-getting-started-override',
    '--disable-proxy',
    '--reconnection-grace-time=5',
    ...(options.driver ? ['--vscode-option=enable-smoke-test-driver'] : []),
  ];
  // detached makes a process group of it, by which everything it starts is ended.
  const child = spawn(node, [entry, ...args], {
    env: variables,
    cwd: scratch,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => end(child, 'SIGKILL');
  process.once('exit', kill);
  let said = '';
  const log = createWriteStream(join(folder, 'code-server.log'));
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      log.write(chunk);
    });
  }
  const origin = await until(
    'code-server listens',
    () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${said}`);
      return /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1];
    },
    60_000,
  );
  await until('code-server is healthy', async () => (await fetch(`${origin}/healthz`)).ok, 60_000);

  return {
    origin,
    folder,
    async stop() {
      end(child, 'SIGTERM');
      await until(
        'code-server has ended',
        () => child.exitCode !== null || child.signalCode !== null,
        5000,
      ).catch(() => undefined);
      kill();
      process.off('exit', kill);
      log.end();
    },
  };
}

function end(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
