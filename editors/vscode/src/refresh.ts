import * as vscode from 'vscode';

const agePause = 60_000;

/** Fires once for all that happens within a moment, and as what is shown ages. */
export class Refresh implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<undefined>();
  private timer: NodeJS.Timeout | undefined;

  private readonly ageing = setInterval(() => {
    this.soon();
  }, agePause);

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
    clearInterval(this.ageing);
    this.emitter.dispose();
  }
}
