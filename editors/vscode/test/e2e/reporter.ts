// Prints each test's name and time, why it failed, and one closing line.
import type { TestEvent } from 'node:test/reporters';

export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for await (const event of source) {
    switch (event.type) {
      case 'test:pass': {
        if (event.data.details.type === 'suite') break;
        const skipped = event.data.skip !== undefined || event.data.todo !== undefined;
        if (skipped) count.skipped++;
        else count.passed++;
        yield `${skipped ? 'skip' : 'ok  '} ${event.data.name} (${seconds(event.data.details.duration_ms)})\n`;
        break;
      }
      case 'test:fail': {
        count.failed++;
        const { error, duration_ms } = event.data.details;
        const cause =
          error.cause instanceof Error
            ? (error.cause.stack ?? error.cause.message)
            : String(error.cause ?? error.message);
        yield `FAIL ${event.data.name} (${seconds(duration_ms)})\n${cause.replace(/^/gm, '     ')}\n`;
        const { evidence } = (error.cause ?? {}) as { evidence?: string };
        if (evidence) yield `     what the windows showed and wrote: ${evidence}\n`;
        break;
      }
      case 'test:stderr':
      case 'test:stdout':
        yield event.data.message;
    }
  }
  yield `tests: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
