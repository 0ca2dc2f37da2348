import type { SamplingMessageContentBlock } from '@modelcontextprotocol/client';
import { type Disposable, languages, type MessageItem, window } from 'vscode';
import { DisposableStore } from '../../base/disposable';
import type {
  ModelAnswer,
  SamplingAnswer,
  SamplingModel,
  SamplingReview,
  SamplingUi,
} from '../../core/clientFeatures/samplingTypes';
import { promptScheme } from '../../ids';
import { type Choice, choose } from '../interop/choose';
import type { Services } from '../interop/contribution';
import { draftLinks } from '../interop/draftLinks';
import { keepSaved } from '../interop/keepSaved';
import { counted, inertLine } from '../interop/text';
import { ReviewSheet, type SheetSource } from './reviewSheet';
import { answerParts, editedAnswer, editedRequest, inSight, requestParts, requestSize } from './samplingSheet';

/** The first one has the keyboard when the dialog comes up: a key that was meant for something else allows nothing. */
const read = { title: 'Read and Edit…' };
const allowOnce = { title: 'Allow Once' };
const more = { title: 'More…' };
const send = { title: 'Send Answer' };
const refuse = { title: 'Refuse', isCloseAffordance: true };

/** How long the status bar says that an answer came too late. */
const tellMs = 10_000;

type Ruling = Pick<SamplingAnswer, 'kind' | 'duration'>;

/** Shows what a model would get, and what a server would get of it, whole and to be edited, and asks. */
export class SamplingReviews implements SamplingUi, Disposable {
  private readonly store = new DisposableStore();
  private sheet: ReviewSheet | undefined;

  constructor(private readonly services: Pick<Services, 'documents' | 'drafts'>) {
    this.store.add(keepSaved());
    this.store.add(languages.registerDocumentLinkProvider({ scheme: promptScheme }, draftLinks(services.drafts)));
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Goes on after the sheet was edited. */
  continue(): void {
    this.sheet?.continue();
  }

  async reviewRequest(review: SamplingReview, signal: AbortSignal): Promise<SamplingAnswer> {
    const { server, models, inputTokens } = review;
    const who = inertLine(server.key, 60);
    const size = requestSize(inputTokens, review.params.maxTokens);
    const original = requestParts(review.params);
    let { model, params } = review;
    let wasRead = false;
    review.tell(`Waiting for you: “${who}” asks for a model`);
    try {
      while (!signal.aborted) {
        const problem = review.check(params);
        const text = inSight(requestParts(params));
        const detail = problem === undefined ? (text ?? unseen(wasRead)) : `It cannot be sent: ${problem}.`;
        const decidable = problem === undefined && (text !== undefined || wasRead);
        const choice = await ask(
          who,
          `“${who}” asks the model ${inertLine(model.name, 60)}${params === review.params ? ` (${size})` : ''}.`,
          detail,
          decidable ? [read, allowOnce, more, refuse] : [read, refuse],
          signal,
        );
        if (choice === read) {
          const intro = `“${server.key}” asks a language model: ${size}.`;
          const { text: edited, nonce } = await this.edit(
            { server, title: 'Request for a model', intro, parts: original },
            signal,
          );
          params = editedRequest(review.params, edited, nonce);
          wasRead = true;
        } else if (choice === more) {
          const ruling = await chooseMore(who, model, signal);
          if (ruling === 'model') {
            model = (await pickModel(models, model, signal)) ?? model;
          } else if (ruling) {
            return { ...ruling, model, params };
          }
        } else {
          return choice === allowOnce
            ? { kind: 'allow', duration: 'once', model, params }
            : { kind: 'refuse', duration: 'once' };
        }
      }
      return { kind: 'refuse', duration: 'once' };
    } finally {
      await this.close();
    }
  }

  async reviewAnswer(
    { server, model, tell }: SamplingReview,
    answer: ModelAnswer,
    signal: AbortSignal,
  ): Promise<readonly SamplingMessageContentBlock[] | undefined> {
    const who = inertLine(server.key, 60);
    const size = `${counted(answer.tokens, 'token')}${answer.end === 'maxTokens' ? ', cut there' : ''}`;
    const intro = `${model.name} answers “${server.key}”: ${size}.`;
    let { content } = answer;
    let wasRead = false;
    tell(`Waiting for you: an answer for “${who}”`);
    try {
      while (!signal.aborted) {
        const text = inSight(answerParts(content));
        const choice = await ask(
          who,
          `“${who}” gets this answer of ${inertLine(model.name, 60)}${content === answer.content ? ` (${size})` : ''}.`,
          text ?? unseen(wasRead),
          text !== undefined || wasRead ? [read, send, refuse] : [read, refuse],
          signal,
        );
        if (choice !== read) {
          return choice === send ? content : undefined;
        }
        const parts = answerParts(answer.content);
        const { text: edited, nonce } = await this.edit({ server, title: 'Answer of the model', intro, parts }, signal);
        content = editedAnswer(answer.content, edited, nonce);
        wasRead = true;
      }
      return undefined;
    } finally {
      await this.close();
    }
  }

  /** Settles when the person has gone on, with what the sheet says then; it is the same one the next time. */
  private async edit(
    source: SheetSource,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly nonce: string }> {
    this.sheet ??= new ReviewSheet(this.services, source);
    const { sheet } = this;
    await sheet.edit(signal);
    return { text: await sheet.text(), nonce: sheet.nonce };
  }

  private async close(): Promise<void> {
    const { sheet } = this;
    this.sheet = undefined;
    await sheet?.close();
  }
}

/** The button that was chosen; none once nobody waits for it any more, which the person is told. */
async function ask(
  who: string,
  message: string,
  detail: string,
  items: readonly MessageItem[],
  signal: AbortSignal,
): Promise<MessageItem | undefined> {
  const choice = await window.showWarningMessage(message, { modal: true, detail }, ...items);
  if (signal.aborted) {
    // The editor has no way to close its dialog, so that it may be answered when nobody waits any more.
    window.setStatusBarMessage(`“${who}” no longer waits: what you chose was not used`, tellMs);
    return undefined;
  }
  return choice;
}

function unseen(wasRead: boolean): string {
  return wasRead ? 'As you left it in the editor.' : 'It is too long for this dialog. Read it in the editor first.';
}

async function chooseMore(
  who: string,
  model: SamplingModel,
  signal: AbortSignal,
): Promise<Ruling | 'model' | undefined> {
  const blind = 'neither requests nor answers are shown then';
  const choices: readonly Choice<Ruling | 'model'>[] = [
    { label: 'Choose Model…', description: inertLine(model.name, 60), value: 'model' },
    { label: 'Allow in This Session', description: `${who}; ${blind}`, value: { kind: 'allow', duration: 'session' } },
    {
      label: 'Always Allow',
      description: `${who}, as it is now; ${blind}`,
      value: { kind: 'allow', duration: 'always' },
    },
    { label: 'Refuse in This Session', description: who, value: { kind: 'refuse', duration: 'session' } },
    { label: 'Always Refuse', description: `${who}, as it is now`, value: { kind: 'refuse', duration: 'always' } },
  ];
  return choose(`“${who}” asks for a model`, 'Escape goes back to the question.', choices, signal);
}

async function pickModel(
  models: readonly SamplingModel[],
  current: SamplingModel,
  signal: AbortSignal,
): Promise<SamplingModel | undefined> {
  const items = models.map((model) => ({
    label: inertLine(model.name, 60),
    description: [inertLine(model.vendor, 40), ...(model === current ? ['chosen now'] : [])].join(', '),
    value: model,
  }));
  return choose('Choose the model for this request', 'Only this request goes to it.', items, signal);
}
