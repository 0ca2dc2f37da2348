import { MarkdownString } from 'vscode';
import { escapeMarkdown } from './markdown';

/** Characters of one line; each caller cuts what it knows to be too long. */
const longest = 1000;

/** Builds a tooltip: every text goes in escaped, addresses included, since servers wrote most of it. */
export class Tooltip {
  readonly markdown = new MarkdownString();

  title(name: string, rest: string): this {
    this.markdown.appendMarkdown(`**${escapeMarkdown(name)}** — ${escapeMarkdown(rest)}`);
    return this;
  }

  line(text: string | undefined): this {
    if (text) {
      this.markdown.appendMarkdown(`\n\n${escapeMarkdown(text, longest)}`);
    }
    return this;
  }

  block(lines: readonly string[]): this {
    if (lines.length > 0) {
      this.markdown.appendCodeblock(lines.join('\n'), 'text');
    }
    return this;
  }
}
