// Workspaces that tests may change.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { environment, repository, scratch } from './environment.ts';

/** Of jar.go an agent that reads it all is shown all but these lines. */
export const jar = { lines: 579, unread: [282, 450] } as const;

/**
 * Makes a git repository with jar.go, lex.go and limits.go, which is short,
 * and with files, by path; settings are those of its .vscode.
 */
export function workspace(
  name: string,
  files: Record<string, string> = {},
  settings: Record<string, unknown> = {},
): string {
  const root = join(mkdtempSync(join(scratch, 'ws-')), name);
  mkdirSync(root);
  for (const file of ['jar.go', 'lex.go'])
    cpSync(join(repository, 'testdata/sources/go', file), join(root, file));
  write(
    root,
    'limits.go',
    'package limits\n\n// Max is the most a customer may order at once.\nconst Max = 40\n\n// Min is the least.\nconst Min = 1\n',
  );
  write(root, '.vscode/settings.json', JSON.stringify(settings, null, 2));
  for (const [path, text] of Object.entries(files)) write(root, path, text);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=e2e', '-c', 'user.email=e2e@example.com', ...args], {
      cwd: root,
      env: environment,
      stdio: 'pipe',
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message=start');
  return root;
}

export function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
