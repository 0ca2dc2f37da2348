import { unlinkSync } from 'node:fs';
import type { Disposable } from '../../base/disposable';
import type { Logger } from '../../base/log';
import { replaceFile } from '../../base/replaceFile';
import { Sequencer } from '../../base/sequencer';
import { ignoreMissing, makePrivateDirectory } from '../socketDirectory';
import type { WindowRecord } from './discoveryTypes';
import { answersAt } from './probe';
import { parseRecord, readPrivatelySync, readRecords, recordDirectory, recordPath, removeRecord } from './recordFiles';

/** What of a record may change while the window is open. */
export type RecordChange = Partial<
  Pick<WindowRecord, 'address' | 'folders' | 'isTrusted' | 'lastFocusedAt' | 'protocolVersions'>
>;

/** The record of one window: written at once, again with each change, removed at the end. */
export class PublishedRecord implements Disposable {
  private readonly directory: string;
  private readonly steps = new Sequencer();
  private disposed = false;

  /** `home` is that of Portico. */
  constructor(
    private readonly home: string,
    private record: WindowRecord,
    private readonly log: Logger,
    private readonly uid: number | undefined = process.getuid?.(),
  ) {
    this.directory = recordDirectory(home);
    this.write(async () => {
      await makePrivateDirectory(this.home, this.uid);
      await makePrivateDirectory(this.directory, this.uid);
      await this.removeDead();
    });
  }

  /** Settles once all that was told so far is written. */
  get written(): Promise<void> {
    return this.steps.run(async () => undefined);
  }

  update(change: RecordChange): void {
    this.record = { ...this.record, ...change };
    this.write();
  }

  dispose(): void {
    this.disposed = true;
    const path = recordPath(this.directory, this.record.id);
    try {
      // After a reload the window's next record may be there before this one is let go of.
      if (parseRecord(readPrivatelySync(path, this.uid) ?? '')?.token === this.record.token) {
        unlinkSync(path);
      }
    } catch (error) {
      ignoreMissing(error);
    }
  }

  /** Failures are logged: without a record the window still serves those who know its address. */
  private write(before: () => Promise<void> = async () => undefined): void {
    this.steps
      .run(async () => {
        await before();
        if (this.disposed) {
          return;
        }
        await replaceFile(recordPath(this.directory, this.record.id), `${JSON.stringify(this.record)}\n`);
        if (this.disposed) {
          await removeRecord(this.directory, this.record.id);
        }
      })
      .catch((error: unknown) => this.log.error('This window cannot be announced to bridges.', error));
  }

  /** Removes what windows of this machine left behind. Those of others, in the same home, cannot be asked from here. */
  private async removeDead(): Promise<void> {
    for (const { id, machine, address } of await readRecords(this.directory, this.uid)) {
      if (id !== this.record.id && machine === this.record.machine && !(await answersAt(address))) {
        await removeRecord(this.directory, id);
      }
    }
  }
}
