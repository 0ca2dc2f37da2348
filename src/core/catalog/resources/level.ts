import { compareRows, Folder, keyed, type Row } from './folder';

/** Rows that are shown at once; a level with more shows ranges. */
export const MAX_ROWS = 1_000;

/** A stretch of a level's rows. `path`: which range, of which range, of the level; empty for the whole of it. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly path: readonly number[];
}

/** The rows of a folder in order, cut into ranges where they are too many. */
export class Level {
  /** Resources in the first n rows, as far as rows are folders. */
  private readonly counts = [0];

  constructor(readonly rows: readonly Row[]) {
    for (const row of rows) {
      if (!(row instanceof Folder)) {
        break;
      }
      this.counts.push(this.counted(this.counts.length - 1) + row.count);
    }
  }

  /** Resources in the rows of a stretch and below them. */
  count({ from, to }: Stretch): number {
    return this.counted(to) - this.counted(from);
  }

  private counted(rows: number): number {
    const folders = Math.min(rows, this.counts.length - 1);
    return (this.counts[folders] ?? 0) + rows - folders;
  }

  /** Nothing where the level has no such range. */
  stretch(path: readonly number[]): Stretch | undefined {
    return path.reduce<Stretch | undefined>((outer, index) => outer && this.ranges(outer)[index], this.whole);
  }

  private get whole(): Stretch {
    return { from: 0, to: this.rows.length, path: [] };
  }

  /** The ranges that a stretch is shown as; none where its rows are shown. */
  ranges({ from, to, path }: Stretch): readonly Stretch[] {
    if (to - from <= MAX_ROWS) {
      return [];
    }
    let size = MAX_ROWS;
    while (size * MAX_ROWS < to - from) {
      size *= MAX_ROWS;
    }
    return Array.from({ length: Math.ceil((to - from) / size) }, (_, index) => {
      const start = from + index * size;
      return { from: start, to: Math.min(start + size, to), path: [...path, index] };
    });
  }

  /** The innermost stretch that shows a row. */
  stretchOf(row: Row): Stretch {
    const index = this.indexOf(row);
    let stretch: Stretch | undefined = this.whole;
    let innermost = stretch;
    while (stretch) {
      innermost = stretch;
      stretch = this.ranges(stretch).find(({ to }) => index < to);
    }
    return innermost;
  }

  private indexOf(row: Row): number {
    const wanted = keyed(row);
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = this.rows[middle];
      if (at && compareRows(keyed(at), wanted) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
