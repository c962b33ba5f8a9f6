import * as vscode from 'vscode';
import type { LineRange, View } from './protocol';
import { setting } from './settings';
import type { Views } from './views';

const shownKey = 'acode.marksShown';

/** One way of marking lines, and whether the person wants it. */
interface Mark {
  type: vscode.TextEditorDecorationType;
  wanted: () => boolean;
  ranges: (view: View) => readonly LineRange[];
}

/** The marks on the lines of visible editors: unread ones, and those that changed. */
export class Decorations implements vscode.Disposable {
  private readonly marks: Mark[];
  private readonly disposables: { dispose(): unknown }[];
  private shown: boolean;

  constructor(
    private readonly views: Views,
    private readonly memory: vscode.Memento,
  ) {
    this.shown = memory.get(shownKey, true);
    this.setShownContext();
    const unread = ({ unread: ranges }: View) => ranges;
    const changed = ({ changedRanges }: View) => changedRanges;
    this.marks = [
      {
        type: decoration({ opacity: '0.65' }),
        wanted: () => setting('unread.dim') && !isHighContrast(),
        ranges: unread,
      },
      { type: bar('acode.unreadGutter'), wanted: () => setting('unread.gutter'), ranges: unread },
      {
        type: ruler('acode.unreadOverviewRuler'),
        wanted: () => setting('unread.overviewRuler'),
        ranges: unread,
      },
      {
        type: bar('acode.changedGutter', 'acode.changedBackground'),
        wanted: () => setting('changed.highlight'),
        ranges: changed,
      },
      {
        type: ruler('acode.changedOverviewRuler'),
        wanted: () => setting('changed.highlight') && setting('unread.overviewRuler'),
        ranges: changed,
      },
    ];
    this.disposables = [
      ...this.marks.map(({ type }) => type),
      views.onDidChange((document) => {
        this.show((editor) => editor.document === document);
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => {
        // An editor that has just appeared, of a document that is known.
        this.show(({ document }) => views.of(document)?.version === document.version);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('acode')) {
          this.show();
        }
      }),
      vscode.window.onDidChangeActiveColorTheme(() => {
        this.show();
      }),
    ];
  }

  setShown(shown: boolean): void {
    this.shown = shown;
    void this.memory.update(shownKey, shown);
    this.setShownContext();
    this.show();
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private setShownContext(): void {
    void vscode.commands.executeCommand('setContext', shownKey, this.shown);
  }

  private show(which: (editor: vscode.TextEditor) => boolean = () => true): void {
    for (const editor of vscode.window.visibleTextEditors.filter(which)) {
      const view = this.shown ? this.views.of(editor.document) : undefined;
      for (const { type, wanted, ranges } of this.marks) {
        editor.setDecorations(type, view && wanted() ? ranges(view).map(wholeLines) : []);
      }
    }
  }
}

export function wholeLines({ startLine, endLine }: LineRange): vscode.Range {
  return new vscode.Range(startLine - 1, 0, endLine - 1, Number.MAX_SAFE_INTEGER);
}

/** Dimmed text would lose the contrast such a theme is chosen for. */
function isHighContrast(): boolean {
  const { kind } = vscode.window.activeColorTheme;
  return kind === vscode.ColorThemeKind.HighContrast || kind === vscode.ColorThemeKind.HighContrastLight;
}

function decoration(options: vscode.DecorationRenderOptions): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    ...options,
  });
}

/** A bar at the start of whole lines: images in the gutter cannot follow the theme. */
function bar(color: string, background?: string): vscode.TextEditorDecorationType {
  return decoration({
    isWholeLine: true,
    borderColor: new vscode.ThemeColor(color),
    borderStyle: 'solid',
    borderWidth: '0 0 0 2px',
    ...(background !== undefined && { backgroundColor: new vscode.ThemeColor(background) }),
  });
}

function ruler(color: string): vscode.TextEditorDecorationType {
  return decoration({
    overviewRulerColor: new vscode.ThemeColor(color),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
}
