import { basename } from 'node:path';
import * as vscode from 'vscode';
import {
  type ApplyWorkspaceEditParams,
  type ApplyWorkspaceEditResult,
  DeleteFile,
  type HandlerResult,
  TextDocumentEdit,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageclient/node';
import { changedLines } from './lineEdits';
import { setting } from './settings';
import { deletionText, questionText } from './text';

const answerTimeout = 45_000;
const flashTime = 600;

const flashDecoration = vscode.window.createTextEditorDecorationType({
  backgroundColor: new vscode.ThemeColor('acode.editFlashBackground'),
  isWholeLine: true,
});

const neverCancelled = new vscode.CancellationTokenSource().token;

type Apply = (params: ApplyWorkspaceEditParams) => Promise<ApplyWorkspaceEditResult>;

/**
 * Applies an edit of an agent: all of it or nothing, to the versions it was
 * made for, and after the person agreed where it meets text the agent has not
 * seen.
 */
export async function applyAgentEdit(
  params: ApplyWorkspaceEditParams,
  next: (
    params: ApplyWorkspaceEditParams,
    token: vscode.CancellationToken,
  ) => HandlerResult<ApplyWorkspaceEditResult, void>,
  isAwaited: () => boolean,
): Promise<ApplyWorkspaceEditResult> {
  const apply: Apply = async (agreed) => (await next(agreed, neverCancelled)) as ApplyWorkspaceEditResult;
  const edits = documentEdits(params.edit);
  let failureReason = outdated(edits);
  if (failureReason === undefined && setting('edits.confirmUnsaved')) {
    failureReason = await refused(params, edits, isAwaited);
    // The person may have typed, or closed a document, before answering.
    failureReason ??= outdated(edits);
  }
  if (failureReason !== undefined) {
    return { applied: false, failureReason };
  }
  const result = await apply({ ...params, edit: withoutAnnotations(params.edit) });
  if (!result.applied) {
    return { applied: false, failureReason: outdated(edits) ?? 'VS Code did not apply the edit' };
  }
  if (setting('edits.flash') && !reducedMotion()) {
    flash(edits);
  }
  return result;
}

function documentEdits(edit: WorkspaceEdit): TextDocumentEdit[] {
  return (edit.documentChanges ?? []).filter((change) => TextDocumentEdit.is(change));
}

function textEdits({ edits }: TextDocumentEdit): TextEdit[] {
  return edits.filter((edit): edit is TextEdit => 'newText' in edit);
}

function openDocument(uri: string): vscode.TextDocument | undefined {
  const wanted = vscode.Uri.parse(uri).toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === wanted);
}

function name(uri: string): string {
  return basename(vscode.Uri.parse(uri).fsPath);
}

/** Says which document is not the one the edit is for. */
function outdated(edits: readonly TextDocumentEdit[]): string | undefined {
  for (const { textDocument } of edits) {
    if (textDocument.version === null) {
      continue;
    }
    const open = openDocument(textDocument.uri);
    if (!open) {
      return `${name(textDocument.uri)} is no longer open`;
    }
    if (open.version !== textDocument.version) {
      return `${name(textDocument.uri)} has changed: the edit is for version ${textDocument.version}, the document has ${open.version}`;
    }
  }
  return undefined;
}

/** Asks the person about what has to be confirmed, and says why not if they decline. */
async function refused(
  { edit }: ApplyWorkspaceEditParams,
  edits: readonly TextDocumentEdit[],
  isAwaited: () => boolean,
): Promise<string | undefined> {
  const asks = (change: object) =>
    'annotationId' in change &&
    edit.changeAnnotations?.[String(change.annotationId)]?.needsConfirmation === true;
  const asked = edits.filter((change) => change.edits.some(asks));
  const deleted = (edit.documentChanges ?? []).filter((change) => DeleteFile.is(change)).filter(asks);
  if (asked.length === 0 && deleted.length === 0) {
    return undefined;
  }
  const { message, detail } =
    deleted.length > 0
      ? deletionText(deleted.map(({ uri }) => name(uri)))
      : questionText(
          asked.map((change) => ({ name: name(change.textDocument.uri), edits: textEdits(change) })),
        );
  // The first is the default, so that Enter from typing does not agree. VS Code
  // takes a button that is marked as the one to close with out of this order.
  const question = vscode.window.showWarningMessage(message, { modal: true, detail }, 'Refuse', 'Apply');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => {
      resolve('late');
    }, answerTimeout);
  });
  const answer = await Promise.race([question, late]);
  clearTimeout(timer);
  if (answer === 'late') {
    void question.then((chosen) => {
      if (chosen === 'Apply') {
        tellGoneOn();
      }
    });
    return `nobody answered within ${answerTimeout / 1000} seconds`;
  }
  if (answer !== 'Apply') {
    return 'the person refused the edit';
  }
  if (!isAwaited()) {
    tellGoneOn();
    return 'the server that asked has ended';
  }
  return undefined;
}

function tellGoneOn(): void {
  void vscode.window.showInformationMessage('The agent has gone on meanwhile: nothing was changed.');
}

/** The edit without what would have VS Code show its refactoring preview. */
function withoutAnnotations(edit: WorkspaceEdit): WorkspaceEdit {
  const { changeAnnotations, ...rest } = edit;
  if (!edit.documentChanges) {
    return rest;
  }
  const documentChanges = edit.documentChanges.map((change) => {
    if (!TextDocumentEdit.is(change)) {
      const { annotationId, ...operation } = change;
      return operation;
    }
    const edits = change.edits.map((one) => {
      const { annotationId, ...plain } = one as typeof one & { annotationId?: string };
      return plain;
    });
    return { ...change, edits };
  });
  return { ...rest, documentChanges };
}

/** VS Code does not tell what "auto" comes to. */
function reducedMotion(): boolean {
  return vscode.workspace.getConfiguration('workbench').get('reduceMotion') === 'on';
}

function flash(changes: readonly TextDocumentEdit[]): void {
  for (const change of changes) {
    const document = openDocument(change.textDocument.uri);
    const lines = changedLines(textEdits(change));
    const ranges = lines
      .filter(({ start, end }) => start <= end)
      .map(({ start, end }) => new vscode.Range(start, 0, end, 0));
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document === document) {
        editor.setDecorations(flashDecoration, ranges);
        setTimeout(() => {
          editor.setDecorations(flashDecoration, []);
        }, flashTime);
      }
    }
  }
}
