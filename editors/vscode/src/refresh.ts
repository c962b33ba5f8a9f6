import * as vscode from 'vscode';

/** Fires once for all that happens within a moment. */
export class Refresh implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<undefined>();
  private timer: NodeJS.Timeout | undefined;

  readonly event = this.emitter.event;

  constructor(private readonly pause = 150) {}

  soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.emitter.fire(undefined);
    }, this.pause);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.emitter.dispose();
  }
}
