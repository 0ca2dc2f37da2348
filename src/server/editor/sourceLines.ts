import type { WorkspaceFiles } from './workspaceTypes';

/** Longer lines are cut, in characters. */
const maxLine = 200;

/** Lines of files for one answer: each file is read once. */
export class SourceLines {
  private readonly read = new Map<string, Promise<readonly string[] | undefined>>();

  constructor(private readonly files: WorkspaceFiles) {}

  /** The text of a line counted from 1; nothing for a file that is not given, `pastEnd` where the file has fewer lines. */
  async at(uri: string, line: number): Promise<{ readonly text?: string; readonly pastEnd?: true }> {
    const file = this.files.ofUri(uri);
    if (file === undefined) {
      return {};
    }
    const reading = this.read.get(file.uri) ?? this.files.lines(file);
    this.read.set(file.uri, reading);
    const lines = await reading;
    if (lines === undefined) {
      return {};
    }
    const text = lines[line - 1];
    return text === undefined ? { pastEnd: true } : { text: shortLine(text) };
  }
}

export function shortLine(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.length > maxLine ? `${trimmed.slice(0, maxLine)}…` : trimmed;
}
