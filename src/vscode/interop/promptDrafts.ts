import { BoundedMap } from './boundedMap';
import { fileName } from './fileName';
import type { PromptSource } from './promptDocument';

/** A prompt's messages before they are sent, as a document that can be edited. */
export interface PromptDraft extends PromptSource {
  /** The server's id. */
  readonly server: string;
}

export interface StoredDraft {
  readonly draft: PromptDraft;
  /** As it was saved last. */
  readonly text: string;
  readonly changedAt: number;
}

/**
 * Where package.json finds the drafts' language. They are Markdown to look at and not by language: the editor would let
 * links of the server's text run commands.
 */
const folder = '/portico-prompt';
const limits = { drafts: 100, bytes: 64 * 1024 * 1024 };

/** The drafts of this window by the paths of their documents, the newest kept. */
export class PromptDrafts {
  private readonly drafts = new BoundedMap<StoredDraft>(limits.drafts, limits.bytes);

  /** Keeps a draft and gives its path. */
  add(draft: PromptDraft, text: string): string {
    const path = `${folder}/${draft.nonce}/${fileName(`${draft.title} · ${draft.key}`)}`;
    this.set(path, draft, text);
    return path;
  }

  get(path: string): StoredDraft | undefined {
    return this.drafts.get(path);
  }

  /** Takes what was edited; false where there is no such draft. */
  write(path: string, text: string): boolean {
    const stored = this.drafts.get(path);
    if (stored) {
      this.set(path, stored.draft, text);
    }
    return stored !== undefined;
  }

  private set(path: string, draft: PromptDraft, text: string): void {
    const bytes = JSON.stringify(draft.messages).length + text.length;
    this.drafts.set(path, { draft, text, changedAt: Date.now() }, bytes);
  }
}
