// Tests that run in the extension host, each reported by its own name.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { inExtensionHost, scenario } from '../bench.ts';
import { workspace } from '../fixture.ts';

scenario('the extension host runs its tests', async (t) => {
  const results = await inExtensionHost(workspace('host'), join(import.meta.dirname, '../../host'));
  for (const { title, failure } of results) {
    await t.test(title, () => {
      if (failure !== undefined) assert.fail(failure);
    });
  }
  const failed = results.filter(({ failure }) => failure !== undefined);
  assert.equal(failed.length, 0, `${failed.length} of ${results.length} failed`);
  assert.notEqual(results.length, 0, 'there are tests');
});
