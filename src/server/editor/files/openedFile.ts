import { closeSync, fstatSync, open, openSync, read, readSync, type Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { readNoLinkFlags } from '../../../base/openFlags';
import { fileStamp } from './fileStamp';
import { isPlace, LOOKS, ownPathOf, placeOf } from './openPlace';

/** In bytes: no more is read at once of a file that was opened at once, and what is larger is read by turns. */
export const SMALL_FILE = 64 * 1_024;

/**
 * A file open for reading. Its descriptor is used as it is, as a `FileHandle` would cost a small file more than all of its
 * reading; what is asked for without waiting is what the system has at hand for an open file.
 */
export class OpenedFile {
  private constructor(
    private readonly descriptor: number,
    private readonly stats: Stats,
    private readonly isAtHand: boolean,
  ) {}

  /** Opens what is at a path that has no links. Rejects as `open` does. */
  static async open(realPath: string): Promise<OpenedFile> {
    const descriptor = await new Promise<number>((resolve, reject) =>
      open(realPath, readNoLinkFlags, (error, opened) => (error ? reject(error) : resolve(opened))),
    );
    return OpenedFile.of(descriptor, false);
  }

  /** As `open`, and the start of the file is read as soon: for what nobody has to wait for. Throws as `openSync` does. */
  static openAtOnce(realPath: string): OpenedFile {
    return OpenedFile.of(openSync(realPath, readNoLinkFlags), true);
  }

  private static of(descriptor: number, isAtHand: boolean): OpenedFile {
    try {
      return new OpenedFile(descriptor, fstatSync(descriptor), isAtHand);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  get isFile(): boolean {
    return this.stats.isFile();
  }

  /** In bytes, when it was opened. */
  get size(): number {
    return this.stats.size;
  }

  /** By what it is told from others and from what it was before. */
  get stamp(): string {
    return fileStamp(this.stats);
  }

  /** When it was changed last, as ISO 8601. */
  get mtime(): string {
    return this.stats.mtime.toISOString();
  }

  /** The real path of what is open, as it is now; none where the system does not say. */
  get place(): string | undefined {
    return placeOf(this.descriptor);
  }

  /** A path that leads to what is open, wherever it is by now; none where the system has no such paths. */
  get ownPath(): string | undefined {
    return ownPathOf(this.descriptor);
  }

  /**
   * Whether what is open lies at the path that it was opened by, with no link on the way, or did until it was replaced there.
   * Rejects as `stat` does.
   */
  async isAt(realPath: string, platform = process.platform): Promise<boolean> {
    const place = placeOf(this.descriptor, platform);
    if (place !== undefined) {
      return isPlace(place, realPath);
    }
    const opened = fstatSync(this.descriptor, { bigint: true });
    for (let look = 1; look <= LOOKS; look += 1) {
      const there = await stat(realPath, { bigint: true });
      if (opened.dev !== there.dev || opened.ino !== there.ino || (await realpath(realPath)) !== realPath) {
        return false;
      }
    }
    return true;
  }

  /** Fills the bytes from a place in the file on; gives how many there were. */
  async read(bytes: Uint8Array, position: number): Promise<number> {
    if (this.isAtHand && bytes.length <= SMALL_FILE) {
      return readSync(this.descriptor, bytes, 0, bytes.length, position);
    }
    return new Promise((resolve, reject) =>
      read(this.descriptor, bytes, 0, bytes.length, position, (error, count) =>
        error ? reject(error) : resolve(count),
      ),
    );
  }

  /** Some bytes of the file: fewer only where it ends before. */
  async bytes(start: number, length: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const count = await this.read(bytes.subarray(filled), start + filled);
      if (count === 0) {
        break;
      }
      filled += count;
    }
    return bytes.subarray(0, filled);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
