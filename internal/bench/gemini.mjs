// Cuts FILE as Gemini CLI does with the output of a tool, and prints what one
// round took. Usage: node gemini.mjs PACKAGE FILE FOLDER ROUNDS
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const [, , root, file, folder, rounds] = process.argv;
const { saveTruncatedToolOutput, formatTruncatedToolOutput } = await import(
  pathToFileURL(`${root}/dist/src/utils/fileUtils.js`).href
);

async function round() {
  const content = await readFile(file, 'utf8');
  const { outputFile } = await saveTruncatedToolOutput(content, 'bench', 1, folder);
  return formatTruncatedToolOutput(content, outputFile, 8000).length;
}

await round();
const cpu = process.cpuUsage();
const start = performance.now();
for (let i = 0; i < Number(rounds); i++) await round();
const { user, system } = process.cpuUsage(cpu);
console.log(
  JSON.stringify({
    cpu_ns: Math.round(((user + system) * 1000) / rounds),
    wall_ns: Math.round(((performance.now() - start) * 1e6) / rounds),
  }),
);
