import type { SamplingMessageContentBlock } from '@modelcontextprotocol/client';
import { type Disposable, languages } from 'vscode';
import { DisposableStore } from '../../base/disposable';
import type {
  ModelAnswer,
  SamplingAnswer,
  SamplingDuration,
  SamplingModel,
  SamplingReview,
  SamplingUi,
} from '../../core/clientFeatures/samplingTypes';
import { promptScheme } from '../../ids';
import type { Services } from '../interop/contribution';
import { draftLinks } from '../interop/draftLinks';
import { keepSaved } from '../interop/keepSaved';
import { counted, inertLine } from '../interop/text';
import { type MenuItem, reviewMenu } from './reviewMenu';
import { ReviewSheet, type SheetSource } from './reviewSheet';
import { answerParts, editedAnswer, editedRequest, requestParts } from './samplingSheet';

type Choice =
  | { readonly kind: 'edit' | 'model' | 'send' }
  | { readonly kind: 'allow' | 'refuse'; readonly duration: SamplingDuration };

const edit: MenuItem<Choice> = {
  label: '$(edit) Read and Edit First',
  description: '“Continue Review” above the text brings you back here',
  value: { kind: 'edit' },
};

/** Shows what a model would get, and what a server would get of it, as a text to edit, and asks. */
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
    const { server, models, params, inputTokens } = review;
    const who = inertLine(server.key, 60);
    const size = `${counted(inputTokens, 'token')}, an answer of at most ${params.maxTokens}`;
    review.tell(`Waiting for you in “${who} asks a model”`);
    const source = {
      server,
      title: 'Request for a model',
      intro: `“${server.key}” asks a language model: ${size}.`,
      parts: requestParts(params),
    };
    return this.withSheet(source, async (sheet) => {
      let { model } = review;
      let problem: string | undefined;
      while (!signal.aborted) {
        const title = `“${who}” asks the model ${inertLine(model.name, 60)}`;
        const hint = problem === undefined ? `${size}. All of it is below. Escape refuses.` : `Not sent: ${problem}.`;
        const choice = await this.ask(sheet, title, hint, requestItems(who, model), signal);
        problem = undefined;
        switch (choice?.kind) {
          case 'edit':
            await sheet.edit(signal);
            break;
          case 'model':
            model = (await pickModel(models, model, signal)) ?? model;
            break;
          case 'allow': {
            const edited = editedRequest(params, await sheet.text(), sheet.nonce);
            problem = review.check(edited);
            if (problem === undefined) {
              return { kind: 'allow', duration: choice.duration, model, params: edited };
            }
            break;
          }
          default:
            return { kind: 'refuse', duration: choice?.kind === 'refuse' ? choice.duration : 'once' };
        }
      }
      return { kind: 'refuse', duration: 'once' };
    });
  }

  async reviewAnswer(
    { server, model, tell }: SamplingReview,
    { content, tokens, end }: ModelAnswer,
    signal: AbortSignal,
  ): Promise<readonly SamplingMessageContentBlock[] | undefined> {
    const who = inertLine(server.key, 60);
    const cut = end === 'maxTokens' ? ', cut there' : '';
    tell(`Waiting for you in “Answer for ${who}”`);
    const source = {
      server,
      title: 'Answer of the model',
      intro: `${model.name} answers “${server.key}”: ${counted(tokens, 'token')}${cut}.`,
      parts: answerParts(content),
    };
    return this.withSheet(source, async (sheet) => {
      while (!signal.aborted) {
        const title = `“${who}” gets this answer of ${inertLine(model.name, 60)}`;
        const hint = `${counted(tokens, 'token')}${cut}. All of it is below. Escape refuses.`;
        const choice = await this.ask(sheet, title, hint, answerItems(who), signal);
        if (choice?.kind !== 'edit') {
          return choice?.kind === 'send' ? editedAnswer(content, await sheet.text(), sheet.nonce) : undefined;
        }
        await sheet.edit(signal);
      }
      return undefined;
    });
  }

  private async withSheet<T>(source: SheetSource, run: (sheet: ReviewSheet) => Promise<T>): Promise<T> {
    const sheet = new ReviewSheet(this.services, source);
    this.sheet = sheet;
    try {
      return await run(sheet);
    } finally {
      this.sheet = undefined;
      await sheet.close();
    }
  }

  private async ask(
    sheet: ReviewSheet,
    title: string,
    hint: string,
    items: readonly MenuItem<Choice>[],
    signal: AbortSignal,
  ): Promise<Choice | undefined> {
    await sheet.show();
    return reviewMenu(title, hint, items, signal);
  }
}

function requestItems(who: string, model: SamplingModel): readonly MenuItem<Choice>[] {
  const unseen = 'neither requests nor answers are shown';
  const to = (kind: 'allow' | 'refuse', duration: SamplingDuration): Choice => ({ kind, duration });
  return [
    edit,
    {
      label: '$(check) Allow Once',
      description: 'the answer is shown before it goes back',
      value: to('allow', 'once'),
    },
    { label: '$(check-all) Allow in This Session', description: `${who}; ${unseen}`, value: to('allow', 'session') },
    {
      label: '$(check-all) Always Allow',
      description: `${who}, as it is now; ${unseen}`,
      value: to('allow', 'always'),
    },
    { label: '$(sparkle) Choose Model…', description: inertLine(model.name, 60), value: { kind: 'model' } },
    { label: '$(circle-slash) Refuse', value: to('refuse', 'once') },
    { label: '$(circle-slash) Refuse in This Session', description: who, value: to('refuse', 'session') },
    { label: '$(circle-slash) Always Refuse', description: `${who}, as it is now`, value: to('refuse', 'always') },
  ];
}

function answerItems(who: string): readonly MenuItem<Choice>[] {
  return [
    edit,
    { label: '$(check) Send Answer', description: `to ${who}`, value: { kind: 'send' } },
    {
      label: '$(circle-slash) Refuse',
      description: `${who} gets no answer`,
      value: { kind: 'refuse', duration: 'once' },
    },
  ];
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
  return reviewMenu('Choose the model for this request', 'Only this request goes to it.', items, signal);
}
