import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, copyFile, mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { setting } from './settings';

const fileName = process.platform === 'win32' ? 'acode-ls.exe' : 'acode-ls';

/** Says which program was looked for, and why it cannot be used. */
export class MissingBinary extends Error {}

/** The server's program: that of the setting, else the one that comes with the extension. */
export async function findBinary(context: vscode.ExtensionContext): Promise<string> {
  const asked = setting('server.path').trim();
  const file = asked === '' ? bundledBinary(context) : asked.replace(/^~(?=$|[/\\])/, homedir());
  if (!path.isAbsolute(file)) {
    throw new MissingBinary(`acode.server.path is "${asked}", which is not an absolute path.`);
  }
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) {
    const why =
      asked === '' ? 'Install the build of this extension for your platform' : 'Correct acode.server.path';
    throw new MissingBinary(
      `acode-ls was not found at ${file}. ${why}, or build acode-ls and name it there.`,
    );
  }
  try {
    await access(file, constants.X_OK);
  } catch {
    throw new MissingBinary(`acode-ls at ${file} may not be executed. Make it executable, or name another.`);
  }
  return file;
}

function bundledBinary(context: vscode.ExtensionContext): string {
  return context.asAbsolutePath(path.join('bin', fileName));
}

/**
 * The program as settings of agents may name it: the folder of an extension
 * goes with its version, so that the program that comes with it is copied to
 * where it outlives an update.
 */
export async function lastingBinary(context: vscode.ExtensionContext): Promise<string> {
  const file = await findBinary(context);
  if (file !== bundledBinary(context)) {
    return file;
  }
  const copy = lastingCopy(context);
  await refreshCopy(file, copy);
  return copy;
}

/** Brings the copy up to date where there is one. */
export async function updateLastingBinary(context: vscode.ExtensionContext): Promise<void> {
  const copy = lastingCopy(context);
  if (await stat(copy).catch(() => undefined)) {
    await refreshCopy(bundledBinary(context), copy);
  }
}

function lastingCopy(context: vscode.ExtensionContext): string {
  return path.join(context.globalStorageUri.fsPath, fileName);
}

async function refreshCopy(from: string, to: string): Promise<void> {
  const source = await stat(from);
  const there = await stat(to).catch(() => undefined);
  if (there?.size === source.size && Math.abs(there.mtimeMs - source.mtimeMs) < 2000) {
    return;
  }
  await mkdir(path.dirname(to), { recursive: true });
  const next = `${to}.${process.pid}`;
  try {
    await copyFile(from, next);
    await utimes(next, source.atime, source.mtime);
    await rename(next, to);
  } finally {
    await rm(next, { force: true });
  }
}

export interface Output {
  stdout: string;
  stderr: string;
  status: number;
}

/** Runs the program once. What it prints counts whatever its exit status. */
export async function runBinary(file: string, args: readonly string[], cwd: string): Promise<Output> {
  return new Promise((resolve, reject) => {
    const options = { cwd, timeout: 20_000, maxBuffer: 4 << 20, windowsHide: true };
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') {
        const why = error.killed ? 'it did not end within 20 seconds' : error.message;
        reject(new Error(`Running ${file} ${args.join(' ')}: ${why}`));
        return;
      }
      resolve({ stdout, stderr, status: error ? Number(error.code) : 0 });
    });
  });
}
