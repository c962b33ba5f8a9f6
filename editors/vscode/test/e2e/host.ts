// Runs the tests of a folder inside the extension host of a window of its own.
import { until } from './until.ts';
import type { Workbench } from './workbench.ts';

export interface HostResult {
  title: string;
  /** Why it failed; absent if it passed. */
  failure?: string;
}

/** The parameters of the address of a window that runs the tests in folder. */
export function hostParameters(origin: string, root: string, folder: string): Record<string, string> {
  const remote = (path: string) => `vscode-remote://${new URL(origin).host}${path}`;
  const payload = [
    ['extensionDevelopmentPath', remote(folder)],
    ['extensionTestsPath', remote(`${folder}/index.mts`)],
    ['skipWelcome', 'true'],
  ];
  return { folder: root, payload: JSON.stringify(payload) };
}

/** Loads the window and awaits the end of its tests. */
export async function runHostTests(window: Workbench, origin: string, folder: string): Promise<HostResult[]> {
  const results: HostResult[] = [];
  let ended: number | undefined;
  await window.page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
    for (const text of args.map(String)) {
      if (!text.startsWith('{"acodeTest"')) continue;
      const { acodeTest, failure } = JSON.parse(text) as { acodeTest: string; failure?: string };
      results.push({ title: acodeTest, ...(failure !== undefined && { failure }) });
    }
  });
  await window.page.exposeFunction('codeAutomationExit', (code: number) => {
    ended = code;
  });
  await window.load(origin, hostParameters(origin, window.root, folder));
  await until('the tests in the extension host have ended', () => ended !== undefined, 110_000);
  if (ended !== 0 && !results.some(({ failure }) => failure !== undefined)) {
    throw new Error(
      `the tests in the extension host could not be run: it ended with ${ended}; ${window.console.slice(-5).join('\n')}`,
    );
  }
  return results;
}
