import { basename } from 'node:path';
import * as vscode from 'vscode';
import {
  type ApplyWorkspaceEditParams,
  type ApplyWorkspaceEditResult,
  type HandlerResult,
  TextDocumentEdit,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageclient/node';
import { changedLines } from './lineEdits';
import { setting } from './settings';

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
): Promise<ApplyWorkspaceEditResult> {
  const apply: Apply = async (agreed) => (await next(agreed, neverCancelled)) as ApplyWorkspaceEditResult;
  const edits = documentEdits(params.edit);
  let failureReason = outdated(edits);
  if (failureReason === undefined && setting('edits.confirmUnsaved')) {
    failureReason = await refused(params, edits);
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
): Promise<string | undefined> {
  const files = new Set<string>();
  const descriptions = new Set<string>();
  for (const change of edits) {
    for (const one of change.edits) {
      const annotation = 'annotationId' in one ? edit.changeAnnotations?.[one.annotationId] : undefined;
      if (annotation?.needsConfirmation === true) {
        files.add(name(change.textDocument.uri));
        descriptions.add(annotation.description ?? annotation.label);
      }
    }
  }
  if (files.size === 0) {
    return undefined;
  }
  const apply = { title: 'Apply' };
  const refuse = { title: 'Refuse', isCloseAffordance: true };
  const detail = [...descriptions].join('\n\n');
  const question = vscode.window.showWarningMessage(
    `An agent wants to edit ${[...files].join(', ')}, which has changes it has not seen.`,
    { modal: true, detail },
    refuse, // first, so that Enter from typing does not agree
    apply,
  );
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
      if (chosen === apply) {
        void vscode.window.showInformationMessage('The agent has gone on meanwhile: nothing was changed.');
      }
    });
    return `nobody answered within ${answerTimeout / 1000} seconds`;
  }
  return answer === apply ? undefined : 'the person refused the edit';
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
  for (const { textDocument, edits } of changes) {
    const document = openDocument(textDocument.uri);
    const lines = changedLines(edits.filter((edit): edit is TextEdit => 'newText' in edit));
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
