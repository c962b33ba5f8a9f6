// What needs the API: the tools for models, the MCP server, what the extension declares.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const vscode = createRequire(import.meta.url)('vscode') as typeof import('vscode');

const extension = vscode.extensions.getExtension('acode-ls.acode');
const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

async function until<T>(what: string, probe: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    const value = await probe();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`not within 20 s: ${what}`);
}

async function invoke(tool: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(tool, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('\n');
}

const file = (path: string) => readFileSync(join(root, path), 'utf8');

describe('the extension', () => {
  it('activates at start-up, and again at once', async () => {
    assert.ok(extension, 'it is installed');
    const start = performance.now();
    await extension.activate();
    const time = performance.now() - start;
    assert.ok(extension.isActive);
    assert.ok(time < 2000, `activation took ${Math.round(time)} ms`);
  });

  it('says what it does where it is not trusted, and needs files', () => {
    const { untrustedWorkspaces, virtualWorkspaces } = extension?.packageJSON.capabilities;
    assert.equal(untrustedWorkspaces.supported, 'limited');
    assert.deepEqual(untrustedWorkspaces.restrictedConfigurations, ['acode.server.path']);
    assert.equal(virtualWorkspaces.supported, false);
    assert.deepEqual(extension?.packageJSON.extensionKind, ['workspace']);
  });

  it('registers every command it contributes', async () => {
    const known = new Set(await vscode.commands.getCommands(true));
    const contributed = extension?.packageJSON.contributes.commands.map(
      ({ command }: { command: string }) => command,
    ) as string[];
    assert.deepEqual(
      contributed.filter((command) => !known.has(command)),
      [],
    );
  });

  it('has defaults for its settings', () => {
    const settings = vscode.workspace.getConfiguration('acode');
    assert.equal(settings.get('unread.dim'), true);
    assert.equal(settings.get('diagnostics'), false);
    assert.equal(settings.get('server.path'), '');
  });
});

describe('tools for models', () => {
  it('acode_read shows a file cut, and says what is left out', async () => {
    const text = await invoke('acode_read', { path: 'jar.go' });
    assert.match(text, /\[Lines 282-450 truncated — contains: func canonicalHost\(\)/);
  });

  it('acode_edit refuses unread lines, and changes nothing', async () => {
    const before = file('jar.go');
    const text = await invoke('acode_edit', {
      path: 'jar.go',
      edits: [{ start_line: 281, end_line: 440, new_text: '' }],
    });
    assert.equal(text.split('\n')[0], 'Lines 282-440 were not read. Read that range first.');
    assert.equal(file('jar.go'), before);
  });

  it('acode_edit changes lines that were read', async () => {
    await invoke('acode_read', { path: 'limits.go' });
    const text = await invoke('acode_edit', {
      path: 'limits.go',
      edits: [{ old_text: 'const Max = 40', new_text: 'const Max = 41' }],
    });
    assert.equal(text.split('\n')[0], 'Applied.');
    assert.match(file('limits.go'), /^const Max = 41$/m);
  });

  it('acode_state says what was read', async () => {
    const text = await invoke('acode_state', {});
    assert.match(text, /^jar\.go: .*71 % of 579 lines; not read: Lines 282–450$/m);
  });

  it('acode_get_artifact tells of one that is not there', async () => {
    await assert.rejects(
      invoke('acode_get_artifact', { id: 'art_1795328962347_ui7ajs1q' }),
      /404: artifact not found/,
    );
  });
});

describe('the MCP server', () => {
  it('is started by VS Code, and its tools can be called', async () => {
    const tool = await until('VS Code has its tools', async () => {
      await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
      return vscode.lm.tools.find(({ name }) => /^mcp_acode.*_read_file$/.test(name))?.name;
    });
    assert.match(await invoke(tool, { path: 'lex.go', start_line: 1, end_line: 6 }), /package parse/);
  });
});
