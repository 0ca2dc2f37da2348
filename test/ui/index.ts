import { join } from 'node:path';
import { mochaHooks as leakCheck } from '../harness/leakCheck';
import { Workbench } from './driver/workbench';

export const mochaHooks = {
  ...leakCheck,
  /** What a failed test saw last lies in out/failures. */
  async afterEach(this: Mocha.Context): Promise<void> {
    if (this.currentTest?.state === 'failed') {
      const name = this.currentTest.fullTitle().replace(/\W+/g, '-').slice(0, 80);
      for (const { page } of Workbench.all) {
        await page.screenshot({ path: join('out', 'failures', `${name}.png`) });
      }
    }
  },
};
