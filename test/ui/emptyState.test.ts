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
    await workbench.page.locator('.activitybar .action-item:has([aria-label^="Portico"])').click();
    await workbench.page.locator('.part.sidebar .welcome-view-content .monaco-button').first().waitFor();
    const picture = await workbench.screenshot('emptyState');
    assert.ok(statSync(picture).size > 10_000);
  });
});
