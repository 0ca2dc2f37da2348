import { SoughtPaths } from './soughtPaths';

/** Paths of one workspace folder from it on, in the order of their code units. */
export class FileList {
  readonly paths: string[] = [];
  private made: SoughtPaths | undefined;

  /** As they are looked for; made anew for the first who looks after a change. */
  get sought(): SoughtPaths {
    return this.prepare();
  }

  prepare(): SoughtPaths {
    this.made ??= new SoughtPaths(this.paths);
    return this.made;
  }

  /** At its end: for a walk, which comes by in order. */
  push(path: string): void {
    this.paths.push(path);
    this.made = undefined;
  }

  /** Whether it was not there before. */
  insert(path: string): boolean {
    const at = this.indexOf(path);
    if (this.paths[at] === path) {
      return false;
    }
    this.paths.splice(at, 0, path);
    this.made = undefined;
    return true;
  }

  /** Takes out a file, or all files of a directory; says whether there were any. */
  remove(path: string): boolean {
    const at = this.indexOf(path);
    const file = this.paths[at] === path ? 1 : 0;
    const [from, to] = [this.indexOf(`${path}/`), this.indexOf(`${path}0`)];
    // `0` follows `/` in the order.
    this.cut(from, to - from);
    this.cut(at, file);
    return file + to - from > 0;
  }

  private cut(at: number, count: number): void {
    if (count > 0) {
      this.paths.splice(at, count);
      this.made = undefined;
    }
  }

  /** Where the path is, or would be. */
  private indexOf(path: string): number {
    let [low, high] = [0, this.paths.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.paths[middle] ?? '') < path) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
