// All tests in a real VS Code, one after another.
import { after, before } from 'node:test';
import { start, stop } from './bench.ts';

before(start, { timeout: 120_000 });
after(stop, { timeout: 60_000 });

await import('./tests/marks.ts');
await import('./tests/views.ts');
await import('./tests/artifacts.ts');
await import('./tests/edits.ts');
await import('./tests/server.ts');
await import('./tests/folders.ts');
await import('./tests/host.ts');
