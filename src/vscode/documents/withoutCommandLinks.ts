import { DocumentLink, type DocumentLinkProvider, Range } from 'vscode';
import { commandLinks } from './commandLinks';

/**
 * Takes the command out of every link that a server wrote: in a Markdown text the editor would run it at a click. Of
 * links that meet, the editor prefers an extension's to its own, and a link without a target goes nowhere.
 */
export const withoutCommandLinks: DocumentLinkProvider = {
  provideDocumentLinks: (document) =>
    commandLinks(document.getText()).map(({ start, end }) => {
      const link = new DocumentLink(new Range(document.positionAt(start), document.positionAt(end)));
      link.tooltip = 'Portico runs no command that a server wrote';
      return link;
    }),
};
