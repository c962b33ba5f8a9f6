import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { findBinary, runBinary } from './binary';
import { errorText, type Server } from './client';
import type { Log } from './log';
import { PROTOCOL } from './protocol';
import { redact } from './redact';

/** Opens a document with all that helps to find out what is wrong. */
export async function collectDiagnostics(
  context: vscode.ExtensionContext,
  server: Server,
  log: Log,
): Promise<void> {
  const { version } = context.extension.packageJSON as { version: string };
  const settings = vscode.workspace.getConfiguration('acode');
  const { running } = server;
  const report = [
    '# Acode diagnostics',
    '',
    'Home folders are shown as `~` and what looks like a secret as `***`.',
    'Read it before you give it to others.',
    '',
    `- Extension ${version}, protocol ${PROTOCOL}`,
    `- ${vscode.env.appName} ${vscode.version}, ${vscode.env.remoteName ?? 'local'}`,
    `- ${process.platform} ${process.arch}, Node ${process.version}`,
    `- Workspace ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted'}, folders: ${vscode.workspace.workspaceFolders?.length ?? 0}`,
    `- Server: ${server.state}${running ? `, acode-ls ${running.version}, process ${running.pid ?? 'unknown'}` : ''}`,
    ...(server.problem === '' ? [] : [`- Problem: ${server.problem}`]),
    '',
    ...section('Settings', 'json', JSON.stringify(settings, undefined, 2)),
    ...(await doctor(context)),
    ...section(`Log, last ${log.lines.length} lines`, 'text', log.lines.join('\n')),
  ].join('\n');
  const document = await vscode.workspace.openTextDocument({
    language: 'markdown',
    content: redact(report, homedir()),
  });
  await vscode.window.showTextDocument(document);
}

async function doctor(context: vscode.ExtensionContext): Promise<string[]> {
  const found: string[] = [];
  try {
    const file = await findBinary(context);
    const version = await runBinary(file, ['version'], context.extensionPath);
    found.push(...section('Program', 'text', `${file}\n${version.stdout}${version.stderr}`));
    for (const { name, uri } of vscode.workspace.workspaceFolders ?? []) {
      if (uri.scheme === 'file') {
        const { stdout, stderr } = await runBinary(file, ['--root', uri.fsPath, 'doctor'], uri.fsPath);
        found.push(...section(`acode-ls doctor: ${name}`, 'text', stdout + stderr));
      }
    }
  } catch (error) {
    found.push(...section('Program', 'text', errorText(error)));
  }
  return found;
}

function section(title: string, language: string, text: string): string[] {
  return [`## ${title}`, '', `~~~${language}`, text.trimEnd(), '~~~', ''];
}
