import { globSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from './environment.ts';

/** The processes of the language server that work in a folder. */
export function servers(root: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return args.includes('serve') && readlinkSync(`/proc/${pid}/cwd`) === root;
      } catch {
        return false; // it has ended, or is another user's
      }
    });
}

/** Those of them that the extension has begun to use: one that ends before did not start. */
export function usedServers(root: string): number[] {
  const logs = globSync(join(scratch, '**/logs/**/acode-ls.log')).map((file) => readFileSync(file, 'utf8'));
  return servers(root).filter((pid) => logs.some((log) => log.includes(`is running, process ${pid}\n`)));
}
