import { shortCopy } from '../../base/shortCopy';
import type { WorkspaceFiles } from './workspaceTypes';

/** Longer lines are cut, in characters. */
const maxLine = 200;

/** Lines of a file that is being read. */
interface Reading {
  readonly wanted: Set<number>;
  readonly taken: Promise<ReadonlyMap<number, string> | undefined>;
}

/** Lines of files for one answer: a file is read once for all that are asked for together, and no more of it is kept. */
export class SourceLines {
  private readonly readings = new Map<string, Reading>();

  constructor(private readonly files: WorkspaceFiles) {}

  /** The text of a line counted from 1; nothing for a file that is not given, `pastEnd` where the file has fewer lines. */
  async at(uri: string, line: number): Promise<{ readonly text?: string; readonly pastEnd?: true }> {
    const { wanted, taken } = this.readings.get(uri) ?? this.begin(uri);
    wanted.add(line);
    const lines = await taken;
    if (lines === undefined) {
      return {};
    }
    const text = lines.get(line);
    return text === undefined ? { pastEnd: true } : { text };
  }

  private begin(uri: string): Reading {
    const wanted = new Set<number>();
    const reading = { wanted, taken: this.take(uri, wanted) };
    this.readings.set(uri, reading);
    return reading;
  }

  private async take(uri: string, wanted: ReadonlySet<number>): Promise<ReadonlyMap<number, string> | undefined> {
    const file = await this.files.passing(uri);
    return (
      file &&
      this.files.withText(file, (text) => {
        // Whoever comes later has to read it anew.
        this.readings.delete(uri);
        const lines = text.split(/\r\n|\r|\n/);
        return new Map(
          [...wanted].flatMap((line) => {
            const found = lines[line - 1];
            return found === undefined ? [] : [[line, shortLine(found)] as const];
          }),
        );
      })
    );
  }
}

export function shortLine(text: string): string {
  const trimmed = text.trimEnd();
  return `${shortCopy(trimmed, maxLine)}${trimmed.length > maxLine ? '…' : ''}`;
}
