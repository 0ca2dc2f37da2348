import type {
  EditorPosition,
  EditorRange,
  OpenDocument,
  TextReplacement,
} from '../../../../src/server/editor/editorTypes';

/** A document as the editor has it loaded; tests set its text. */
export class FakeDocument implements OpenDocument {
  version = 1;
  isDirty = false;
  languageId = 'typescript';
  encoding = 'utf8';
  readonly eol = '\n';

  constructor(
    readonly uri: string,
    readonly path: string | undefined,
    private content: string,
  ) {}

  get lineCount(): number {
    return this.content.split('\n').length;
  }

  text(range?: EditorRange): string {
    return range === undefined ? this.content : this.content.slice(this.offset(range.start), this.offset(range.end));
  }

  set(text: string, dirty: boolean): void {
    this.content = text;
    this.version += 1;
    this.isDirty = dirty;
  }

  replace(replacements: readonly TextReplacement[]): void {
    const fromEnd = [...replacements].sort((a, b) => this.offset(b.range.start) - this.offset(a.range.start));
    let text = this.content;
    for (const { range, text: inserted } of fromEnd) {
      text = text.slice(0, this.offset(range.start)) + inserted + text.slice(this.offset(range.end));
    }
    this.set(text, true);
  }

  private offset({ line, character }: EditorPosition): number {
    const lines = this.content.split('\n');
    return lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0) + character;
  }
}
