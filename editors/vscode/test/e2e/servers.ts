import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

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
