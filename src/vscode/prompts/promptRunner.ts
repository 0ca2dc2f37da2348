import { languages, ProgressLocation, Uri, ViewColumn, window, workspace } from 'vscode';
import type { Prompt } from '@modelcontextprotocol/client';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { PorticoError, toProblem } from '../../base/errors';
import type { CatalogEntry } from '../../core/catalog/catalogTypes';
import { type DocumentArgument, promptScheme } from '../../ids';
import { askArguments } from '../interop/askArguments';
import { toSignal } from '../interop/cancellation';
import type { Services } from '../interop/contribution';
import { progressSteps } from '../interop/progress';
import { type PromptMessage, readMessages, toDocument } from '../interop/promptDocument';
import { serverCompletion } from '../interop/serverCompletion';
import { counted, inertLine } from '../interop/text';
import { draftLinks } from '../interop/draftLinks';
import { newDraft } from './newDraft';
import { pickPrompt } from './pickPrompt';
import { promptFields } from './promptFields';
import { keepSaved } from '../interop/keepSaved';
import { PromptSender, type Way } from './promptSender';
import { LastEditor } from './lastEditor';

type Args = Readonly<Record<string, string>>;

/** Takes a prompt from its choice to its draft, and the draft to where it goes. */
export class PromptRunner implements Disposable {
  private readonly store = new DisposableStore();
  private readonly sender: PromptSender;
  /** What was given to a prompt that then failed, so that it need not be typed again. */
  private readonly failed = new Map<string, Args>();

  constructor(private readonly services: Services) {
    this.sender = new PromptSender(services, this.store.add(new LastEditor()));
    this.store.add(keepSaved());
    this.store.add(languages.registerDocumentLinkProvider({ scheme: promptScheme }, draftLinks(services.drafts)));
  }

  dispose(): void {
    this.store.dispose();
  }

  /** A row's prompt, or one that is picked. */
  async run(
    row: { readonly server: string; readonly prompt: string; readonly args?: Args } | undefined,
  ): Promise<void> {
    const { hub } = this.services;
    await hub.ready;
    hub.freshen(row?.server);
    const entry = row ? this.need(row.server, row.prompt) : await pickPrompt(hub);
    const args = entry && (await this.ask(entry, row?.args));
    if (!entry || !args) {
      return;
    }
    const messages = await this.get(entry, args);
    const { title, server, key } = { title: titleOf(entry), ...entry };
    if (messages.length === 0) {
      void window.showInformationMessage(`${stepTitle(entry)}: the server gave no messages.`);
      return;
    }
    const draft = newDraft(this.services, { server, key, title, messages });
    const path = this.services.drafts.add(draft, toDocument(draft));
    const uri = Uri.from({ scheme: promptScheme, path });
    await window.showTextDocument(await workspace.openTextDocument(uri), {
      preview: true,
      preserveFocus: true,
      viewColumn: ViewColumn.Active,
    });
    await this.choose(entry, messages.length, uri);
  }

  /** Sends the draft of a document, or of the active editor, on its way. */
  async send(way: Way, document: DocumentArgument | undefined): Promise<void> {
    const { scheme, path } = document ?? window.activeTextEditor?.document.uri ?? {};
    const stored = path === undefined ? undefined : this.services.drafts.get(path);
    if (scheme !== promptScheme || path === undefined || !stored) {
      throw new PorticoError('PROMPT_UNKNOWN', 'There is no draft of a prompt here any more. Run the prompt again.');
    }
    await this.sender.send(way, Uri.from({ scheme, path }), stored.draft);
  }

  private need(server: string, name: string): CatalogEntry<Prompt> {
    const entry = this.services.hub.catalog.prompts
      .peek()
      .find((one) => one.server === server && one.item.name === name);
    if (!entry) {
      throw new PorticoError(
        'PROMPT_UNKNOWN',
        `${server} has no prompt "${name}". Start or restart it to list its prompts anew.`,
        { server },
      );
    }
    return entry;
  }

  private async ask(entry: CatalogEntry<Prompt>, given: Args | undefined): Promise<Args | undefined> {
    const { hub, logs } = this.services;
    const { server, item } = entry;
    const fields = promptFields(item);
    if (fields.length === 0) {
      return {};
    }
    const complete = serverCompletion(hub, server, { type: 'ref/prompt', name: item.name });
    if (complete) {
      // Suggestions come from the running server; whether it starts or not, the questions go on.
      hub
        .start(server, { interactive: false, urgent: true })
        .catch((error: unknown) => logs.own.debug(`No suggestions: ${toProblem(error).message}`));
    }
    const initial = given ?? this.failed.get(keyOf(entry));
    return askArguments({
      title: stepTitle(entry),
      fields,
      editorTexts: true,
      ...(complete ? { complete } : {}),
      ...(initial ? { initial } : {}),
    });
  }

  private async get(entry: CatalogEntry<Prompt>, args: Args): Promise<readonly PromptMessage[]> {
    const { server, key, item } = entry;
    this.failed.delete(keyOf(entry));
    return window.withProgress(
      { location: ProgressLocation.Notification, title: stepTitle(entry), cancellable: true },
      async (progress, token) => {
        const { signal, dispose } = toSignal(token);
        try {
          return readMessages(
            await this.services.hub.getPrompt(server, item.name, args, {
              interactive: true,
              signal,
              onProgress: progressSteps(progress),
            }),
          );
        } catch (error) {
          this.failed.set(keyOf(entry), args);
          if (error instanceof PorticoError) {
            throw error;
          }
          const message = `"${key}" did not give the prompt "${item.name}": ${toProblem(error).message} Change its arguments and run it again.`;
          throw new PorticoError('PROMPT_FAILED', message, { server: key, cause: error });
        } finally {
          dispose();
        }
      },
    );
  }

  private async choose(entry: CatalogEntry<Prompt>, count: number, uri: Uri): Promise<void> {
    const ways: readonly { readonly label: string; readonly description: string; readonly way?: Way }[] = [
      { label: 'Send to @portico', description: 'with the tools of all your servers', way: 'portico' },
      { label: 'Send to Chat', description: 'as text in its box, resources attached', way: 'chat' },
      { label: 'Insert at Cursor', description: 'as text, into the last text editor', way: 'insert' },
      { label: 'Copy', description: 'as text', way: 'copy' },
      { label: 'Edit First', description: 'the actions above the draft send it then' },
    ];
    const picked = await window.showQuickPick(ways, {
      title: stepTitle(entry),
      placeHolder: `${counted(count, 'message')}, shown below. Enter chooses where they go.`,
    });
    if (picked?.way) {
      await this.send(picked.way, uri);
    } else {
      await window.showTextDocument(uri, { preview: picked === undefined });
    }
  }
}

function titleOf({ item }: CatalogEntry<Prompt>): string {
  return item.title ?? item.name;
}

/** `travel — Plan a vacation` */
function stepTitle(entry: CatalogEntry<Prompt>): string {
  return `${inertLine(entry.key, 60)} — ${inertLine(titleOf(entry), 60) || inertLine(entry.item.name, 60)}`;
}

function keyOf({ server, item }: CatalogEntry<Prompt>): string {
  return `${server}\n${item.name}`;
}
