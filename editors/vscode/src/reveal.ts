import * as vscode from 'vscode';
import type { LineRange } from './protocol';

/** Opens a file and goes to the first of these lines. */
export async function goTo(uri: string, { startLine }: LineRange): Promise<void> {
  moveTo(await open(uri), startLine);
}

/** Opens a file and selects these lines. */
export async function select(uri: string, { startLine, endLine }: LineRange): Promise<void> {
  const editor = await open(uri);
  const end = editor.document.validatePosition(new vscode.Position(endLine - 1, Number.MAX_SAFE_INTEGER));
  moveTo(editor, startLine);
  // The cursor stays at the first line, from where the next range is looked for.
  editor.selection = new vscode.Selection(end, editor.selection.active);
}

export function moveTo(editor: vscode.TextEditor, line: number): void {
  const start = editor.document.validatePosition(new vscode.Position(line - 1, 0));
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function open(uri: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(vscode.Uri.parse(uri)));
}
