import { DocumentLink, type DocumentLinkProvider, Range, Uri } from 'vscode';
import { partLink } from './promptDocument';
import type { PromptDrafts } from './promptDrafts';

/** Opens the parts that are no text: the only links of a draft that are not web addresses. */
export function draftLinks(drafts: PromptDrafts): DocumentLinkProvider {
  return {
    provideDocumentLinks(document) {
      const draft = drafts.get(document.uri.path)?.draft;
      const lines = draft ? document.getText().split(/\r?\n/) : [];
      return lines.flatMap((line, row) => {
        const found = draft && partLink(draft, line);
        const target = found && draft.links[found.index];
        return target ? [new DocumentLink(new Range(row, found.start, row, found.end), Uri.parse(target, true))] : [];
      });
    },
  };
}
