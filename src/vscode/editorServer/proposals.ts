import { basename } from 'node:path/posix';
import { commands as editorCommands, ProgressLocation, TabInputTextDiff, Uri, window } from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import type { DiffVerdict } from '../../server/editor/editorTypes';
import { commands, contextKeys, type DocumentArgument } from '../../ids';
import { setContextKey } from '../interop/contextKeys';
import type { EditorLogs } from '../interop/log';
import { registerCommand } from '../interop/commands';
import { inertLine } from '../interop/text';
import type { VirtualDocuments } from '../interop/virtualDocuments';

/** Where the texts stand in the read-only file system; the diffs of the first have the two answers in their title. */
const folders = { asked: '/proposals', shown: '/previews' } as const;

type Answer = DiffVerdict['verdict'];

/**
 * Proposed texts, each shown as a diff beside the file. The person accepts or rejects it in the diff's title; closing the
 * diff rejects it.
 */
export class Proposals implements Disposable {
  private readonly store = new DisposableStore();
  private readonly open = new Map<string, (answer: Answer) => void>();
  private count = 0;

  constructor(
    private readonly documents: VirtualDocuments,
    logs: EditorLogs,
  ) {
    const answer = (given: Answer) => (document?: DocumentArgument) => {
      this.open.get(document?.path ?? this.activePath() ?? '')?.(given);
      return Promise.resolve();
    };
    this.store.add(registerCommand(commands.acceptProposal, logs, answer('accepted')));
    this.store.add(registerCommand(commands.rejectProposal, logs, answer('rejected')));
    this.store.add(
      window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const { input } of closed) {
          if (input instanceof TabInputTextDiff) {
            this.open.get(input.modified.path)?.('rejected');
          }
        }
      }),
    );
  }

  /** Waits for the person; an abort closes the diff and rejects it. */
  async ask(uri: string, text: string, title: string, signal: AbortSignal): Promise<DiffVerdict> {
    const proposed = this.put('asked', uri, text);
    const store = new DisposableStore();
    const answered = new Promise<Answer>((resolve) => {
      this.open.set(proposed.path, resolve);
      const abort = (): void => resolve('rejected');
      signal.addEventListener('abort', abort);
      store.add(toDisposable(() => signal.removeEventListener('abort', abort)));
    });
    store.add(toDisposable(() => this.open.delete(proposed.path)));
    try {
      await this.tellOpen();
      await this.show(uri, proposed, title);
      const message = `${inertLine(title)}: accept or reject it in the title of its diff.`;
      void window.withProgress({ location: ProgressLocation.Notification, title: message }, () => answered);
      return { verdict: await answered, text };
    } finally {
      store.dispose();
      await this.tellOpen();
      await this.close(proposed);
    }
  }

  /** Shows a diff that nobody answers in its title. */
  async preview(uri: string, text: string, title: string): Promise<Disposable> {
    const proposed = this.put('shown', uri, text);
    await this.show(uri, proposed, title);
    return toDisposable(() => void this.close(proposed));
  }

  /** The same for a file that is not there yet. */
  async previewNew(uri: string, text: string, title: string): Promise<Disposable> {
    const nothing = this.put('shown', uri, '');
    const proposed = this.put('shown', uri, text);
    await this.show(nothing.toString(), proposed, title);
    return toDisposable(() => void this.close(proposed));
  }

  dispose(): void {
    this.store.dispose();
    for (const answer of [...this.open.values()]) {
      answer('rejected');
    }
  }

  private put(kind: keyof typeof folders, uri: string, text: string): Uri {
    return this.documents.put(`${folders[kind]}/${++this.count}/${basename(Uri.parse(uri, true).path)}`, text);
  }

  private async show(uri: string, proposed: Uri, title: string): Promise<void> {
    await editorCommands.executeCommand('vscode.diff', Uri.parse(uri, true), proposed, title, {
      preview: false,
      preserveFocus: true,
    });
  }

  private tellOpen(): Promise<void> {
    return setContextKey(contextKeys.proposalOpen, this.open.size > 0);
  }

  /** Only what was opened here; the person's own diffs stay. */
  private async close(proposed: Uri): Promise<void> {
    const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
    const own = tabs.filter(
      ({ input }) => input instanceof TabInputTextDiff && input.modified.toString() === proposed.toString(),
    );
    await window.tabGroups.close(own, true);
  }

  private activePath(): string | undefined {
    const input = window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof TabInputTextDiff ? input.modified.path : undefined;
  }
}
