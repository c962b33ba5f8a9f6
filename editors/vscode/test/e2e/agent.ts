// An agent: a client of the MCP server, which works beside VS Code on the same ledger.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { environment, server } from './environment.ts';
import { patience } from './until.ts';

export interface ToolResult {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  /** All text of content. */
  text: string;
}

export interface Agent {
  callTool(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  stop(): Promise<void>;
}

/** Starts an agent that works in the folder root under the session's name. */
export async function startAgent(root: string, session: string): Promise<Agent> {
  const child = spawn(server, ['--root', root, '--session', session, 'mcp'], {
    env: environment,
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  void ended.then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`acode-ls mcp ended: ${said}`));
  });
  createInterface(child.stdout).on('line', (line) => {
    const message = JSON.parse(line) as {
      id?: number;
      method?: string;
      result?: unknown;
      error?: { message: string };
    };
    if (message.method !== undefined || message.id === undefined) return;
    const caller = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) caller?.reject(new Error(message.error.message));
    else caller?.resolve(message.result);
  });

  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let last = 0;
  // An edit may wait for a person's answer, so its deadline is beyond theirs.
  const request = (method: string, params: object, deadline = 4 * patience) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++last;
      const timer = setTimeout(
        () => reject(new Error(`no answer to ${method} within ${deadline / 1000} s: ${said}`)),
        deadline,
      );
      waiting.set(id, {
        resolve: (result) => (clearTimeout(timer), resolve(result)),
        reject: (error) => (clearTimeout(timer), reject(error)),
      });
      send({ id, method, params });
    });

  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: session, version: '1' },
  });
  send({ method: 'notifications/initialized' });
  return {
    async callTool(name, args) {
      const result = (await request('tools/call', { name, arguments: args })) as Omit<ToolResult, 'text'>;
      return { ...result, text: result.content.map(({ text }) => text).join('\n') };
    },
    async stop() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
      await ended;
      clearTimeout(timer);
    },
  };
}
