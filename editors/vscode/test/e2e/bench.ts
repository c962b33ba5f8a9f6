// What all tests share: one VS Code server and one browser. Each window has
// its own workspace, its own browser context and its own extension host.
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { type Agent, startAgent } from './agent.ts';
import { type CodeServer, installExtension, startCodeServer } from './code-server.ts';
import { chromium, evidence, kit, vsix } from './environment.ts';
import { type HostResult, runHostTests } from './host.ts';
import { Workbench } from './workbench.ts';

const playwright = createRequire(join(kit, 'package.json'))(
  'playwright-core',
) as typeof import('playwright-core');

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let server: CodeServer;
let hostServer: CodeServer | undefined;
let browser: Browser;
const windows = new Set<Workbench>();
const agents = new Set<Agent>();

export async function start(): Promise<void> {
  await installExtension(vsix);
  [server, browser] = await Promise.all([
    startCodeServer('vscode'),
    playwright.chromium.launch({ executablePath: chromium(), args: flags }),
  ]);
}

export async function stop(): Promise<void> {
  await Promise.allSettled([...agents].map((agent) => agent.stop()));
  await browser?.close();
  await server?.stop();
  await hostServer?.stop();
}

/** Opens a window on a folder, or on what parameters of the page's address say. */
export async function openWindow(
  root: string,
  parameters?: Record<string, string>,
  options?: BrowserContextOptions,
): Promise<Workbench> {
  const window = await newWindow(root, options);
  await window.load(server.origin, parameters);
  return window;
}

/** Runs the tests of a folder in the extension host of a window of their own. */
export async function inExtensionHost(root: string, folder: string): Promise<HostResult[]> {
  hostServer ??= await startCodeServer('vscode-driven', { driver: true });
  return runHostTests(await newWindow(root), hostServer.origin, folder);
}

async function newWindow(root: string, options?: BrowserContextOptions): Promise<Workbench> {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    deviceScaleFactor: Number(process.env['ACODE_E2E_SCALE'] ?? 1),
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const window = new Workbench(await context.newPage(), root);
  windows.add(window);
  return window;
}

export async function closeWindow(window: Workbench): Promise<void> {
  windows.delete(window);
  await window.page.context().close();
}

/** Starts an agent in a workspace. */
export async function openAgent(root: string, session: string): Promise<Agent> {
  const agent = await startAgent(root, session);
  agents.add(agent);
  return agent;
}

/** A test that, when it fails, leaves pictures, console and logs in a folder its message names. */
export function scenario(name: string, run: (t: TestContext) => Promise<void>): void {
  test(name, { timeout: 120_000 }, async (t) => {
    try {
      await run(t);
    } catch (error) {
      const folder = join(evidence, 'failed', slug(name));
      await keep(folder);
      throw Object.assign(error instanceof Error ? error : new Error(String(error)), { evidence: folder });
    }
  });
}

/** Takes a picture into the folder of this run. */
export async function picture(window: Workbench, name: string): Promise<void> {
  await window.screenshot(join(evidence, `${name}.png`));
}

async function keep(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [index, window] of [...windows].entries()) {
    writeFileSync(join(folder, `console-${index}.txt`), window.console.join('\n'));
    await window
      .screenshot(join(folder, `window-${index}.png`))
      .catch((error: unknown) => writeFileSync(join(folder, `window-${index}.txt`), String(error)));
  }
  for (const [name, { folder: from }] of Object.entries({ server, ...(hostServer && { hostServer }) })) {
    for (const part of ['logs', 'code-server.log']) {
      if (existsSync(join(from, part)))
        cpSync(join(from, part), join(folder, name, part), { recursive: true });
    }
  }
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80);
}
