/** A path as it is looked for: in small letters, where its last name begins, and which letters and digits it has. */
export interface SoughtPath {
  readonly lowered: string;
  readonly name: number;
  readonly letters: number;
}

/** One bit for each letter, and one for each two digits: what lacks one of a query's bits does not have the query. */
export function lettersOf(lowered: string): number {
  let bits = 0;
  for (let at = 0; at < lowered.length; at += 1) {
    const code = lowered.charCodeAt(at);
    if (code >= 97 && code <= 122) {
      bits |= 1 << (code - 97);
    } else if (code >= 48 && code <= 57) {
      bits |= 1 << (26 + ((code - 48) >> 1));
    }
  }
  return bits;
}

/** Paths of one workspace folder from it on, in the order of their code units, as they are and as they are looked for. */
export class FileList {
  readonly paths: string[] = [];
  readonly sought: SoughtPath[] = [];

  /** At its end: for a walk, which comes by in order. */
  push(path: string): void {
    this.paths.push(path);
    this.sought.push(soughtPath(path));
  }

  /** Whether it was not there before. */
  insert(path: string): boolean {
    const at = this.indexOf(path);
    if (this.paths[at] === path) {
      return false;
    }
    this.paths.splice(at, 0, path);
    this.sought.splice(at, 0, soughtPath(path));
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
      this.sought.splice(at, count);
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

function soughtPath(path: string): SoughtPath {
  const lowered = path.toLowerCase();
  return { lowered, name: lowered.lastIndexOf('/') + 1, letters: lettersOf(lowered) };
}
