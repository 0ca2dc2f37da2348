import { PorticoError } from '../../../base/errors';
import { hasHalfCharacter } from '../../../base/halfCharacters';
import type { EditorPosition, EditorRange } from '../editorTypes';
import { lineCount } from '../files/takeLines';
import { plainLineEnds } from '../lineEnds';
import { comparePositions } from '../positions';

/** A text in which edits find their places, with `\n` at the end of every line, as line ends are the editor's affair. */
export class EditedText {
  private readonly text: string;
  /** Where each line begins. */
  private readonly starts: readonly number[];

  constructor(text: string) {
    this.text = plainLineEnds(text);
    const starts = [0];
    for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) {
      starts.push(at + 1);
    }
    this.starts = starts;
  }

  /** In words: `3 lines`. */
  get lineCount(): string {
    return lineCount(this.text);
  }

  /** Of all of it. */
  get range(): EditorRange {
    return { start: { line: 0, character: 0 }, end: this.positionOf(this.text.length) };
  }

  /** Whether the range lies in the text, and its end not before its start. */
  has({ start, end }: EditorRange): boolean {
    return comparePositions(start, end) <= 0 && [start, end].every((at) => at.character <= this.lengthOf(at.line));
  }

  /** Characters of a line, counted from 0, without its end; fewer than none where there is no such line. */
  lengthOf(line: number): number {
    const start = this.starts[line];
    return start === undefined ? -1 : (this.starts[line + 1] ?? this.text.length + 1) - 1 - start;
  }

  /** What stands in a range of the text. */
  at({ start, end }: EditorRange): string {
    return this.text.slice(this.offsetOf(start), this.offsetOf(end));
  }

  /** Whether a range begins or ends within a character that takes two units. */
  cuts({ start, end }: EditorRange): boolean {
    return [start, end].some((at) => {
      const offset = this.offsetOf(at);
      return (this.text.codePointAt(offset - 1) ?? 0) > 0xffff;
    });
  }

  /** Where a text stands: its one place, or how often at least. */
  find(text: string): EditorRange | 'nowhere' | 'often' {
    const wanted = plainLineEnds(text);
    const offset = this.text.indexOf(wanted);
    if (offset < 0) {
      return 'nowhere';
    }
    return this.text.indexOf(wanted, offset + 1) >= 0
      ? 'often'
      : { start: this.positionOf(offset), end: this.positionOf(offset + wanted.length) };
  }

  private offsetOf({ line, character }: EditorPosition): number {
    return (this.starts[line] ?? this.text.length) + character;
  }

  private positionOf(offset: number): EditorPosition {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      [low, high] = (this.starts[middle] ?? 0) <= offset ? [middle, high] : [low, middle - 1];
    }
    return { line: low, character: offset - (this.starts[low] ?? 0) };
  }
}

/** Rejects what no file could hold: half of a character. `name` is that of the argument. */
export function assertWhole(text: string, name: string): void {
  if (hasHalfCharacter(text)) {
    throw new PorticoError('ARGUMENTS_INVALID', `${name}: it has half of a character (a lone surrogate).`);
  }
}
