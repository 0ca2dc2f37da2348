import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { Workbench } from './driver/workbench';

describe('an empty workbench', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open();
  });
  after(() => workbench.close());

  it('shows the Portico container', async () => {
    await workbench.openPortico();
    const picture = await workbench.screenshot('emptyState');
    assert.ok(statSync(picture).size > 10_000);
  });
});
