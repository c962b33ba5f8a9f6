// A language server of another protocol: it answers initialize, and ends when it is told to.
import process from 'node:process';

let input = Buffer.alloc(0);
process.stdin.on('data', (chunk: Buffer) => {
  input = Buffer.concat([input, chunk]);
  for (;;) {
    const header = /^Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n/.exec(input.toString('latin1'));
    if (!header) return;
    const [head, length] = [header[0].length, Number(header[1])];
    if (input.length < head + length) return;
    answer(JSON.parse(input.subarray(head, head + length).toString()) as { id?: number; method: string });
    input = input.subarray(head + length);
  }
});

function answer({ id, method }: { id?: number; method: string }): void {
  if (method === 'exit') process.exit(0);
  if (id === undefined) return;
  const capabilities = { experimental: { acode: { protocol: 2 } } };
  const result =
    method === 'initialize' ? { capabilities, serverInfo: { name: 'acode-ls', version: '0.9.0' } } : null;
  const body = JSON.stringify({ jsonrpc: '2.0', id, result });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
