import { randomBytes } from 'node:crypto';
import { TabInputText, type TextDocument, Uri, window, workspace } from 'vscode';
import { DisposableStore, toDisposable } from '../../base/disposable';
import type { ServerDefinition } from '../../core/config/configTypes';
import { promptScheme } from '../../ids';
import { closeTabs } from '../interop/closeTabs';
import { contentFile } from '../interop/contentFile';
import type { Services } from '../interop/contribution';
import { newNonce } from '../interop/promptDocument';
import { type SheetPart, toSheet } from './samplingSheet';

export interface SheetSource {
  readonly server: ServerDefinition;
  /** What the tab is called. */
  readonly title: string;
  readonly intro: string;
  readonly parts: readonly SheetPart[];
}

/** A request or an answer under review, as a document that can be edited. */
export class ReviewSheet {
  readonly nonce: string;
  private readonly uri: Uri;
  private goOn: () => void = () => undefined;

  constructor(services: Pick<Services, 'documents' | 'drafts'>, { server, title, intro, parts }: SheetSource) {
    this.nonce = `review-${newNonce([intro, parts], (bytes) => randomBytes(bytes).toString('hex'))}`;
    const links = parts.map(({ content }, index) => {
      const file = contentFile({ ...content });
      const folder = `/documents/${this.nonce}-${index}`;
      return file && services.documents.put(`${folder}/${file.name}`, file.data).toString();
    });
    const draft = { server: server.id, key: server.key, title, messages: [], links, nonce: this.nonce };
    const path = services.drafts.add(draft, toSheet(intro, parts, this.nonce, links));
    this.uri = Uri.from({ scheme: promptScheme, path });
  }

  /** What it says now. */
  async text(): Promise<string> {
    return (await this.document()).getText();
  }

  /** Gives it the keyboard; settles when the person is through with it, or has closed it. */
  async edit(signal: AbortSignal): Promise<void> {
    await window.showTextDocument(await this.document(), { preview: false });
    const store = new DisposableStore();
    try {
      await new Promise<void>((resolve) => {
        this.goOn = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
        store.add(
          window.tabGroups.onDidChangeTabs(({ closed }) => {
            if (closed.some(({ input }) => input instanceof TabInputText && this.is(input.uri))) {
              resolve();
            }
          }),
        );
        store.add(toDisposable(() => (this.goOn = () => undefined)));
      });
    } finally {
      store.dispose();
    }
  }

  /** The person is through with editing. */
  continue(): void {
    this.goOn();
  }

  async close(): Promise<void> {
    await closeTabs(await this.document());
  }

  private is(uri: Uri): boolean {
    return uri.toString() === this.uri.toString();
  }

  private async document(): Promise<TextDocument> {
    return workspace.openTextDocument(this.uri);
  }
}
