import type { ElicitResult } from '@modelcontextprotocol/client';
import { PorticoError } from '../../base/errors';
import { isObject } from '../../base/jsonObject';
import type { Logger } from '../../base/log';
import { Sequencer } from '../../base/sequencer';
import type { ServerDefinition } from '../config/configTypes';
import type { Answerer } from '../connections/connectionTypes';
import { answerElicitation } from './answerElicitation';
import type { AskingCaller, ElicitationUi, SchemaCheck, Visit } from './clientFeatureTypes';
import { type FormQuestion, type PageQuestion, type Question, readRequiredPages } from './readElicitation';

/** So often in a row the person may say no before a server is not let ask again, until nobody uses it any more. */
const mostRefusals = 5;
/** So often one request may want pages visited first. */
const mostVisits = 3;

export interface ElicitorPorts {
  readonly server: ServerDefinition;
  readonly ui: ElicitationUi;
  readonly checkSchema: SchemaCheck;
  readonly log: Logger;
}

/** The state of a question. */
export interface QuestionState {
  /** Aborts when the server no longer waits for this answer. */
  readonly signal: AbortSignal;
  /** Aborts when nobody uses the server any more. */
  readonly over: AbortSignal;
  readonly answerer: Answerer | undefined;
  /** Stateless era: the answer is what makes the request being sent again. */
  readonly retries: boolean;
}

/** Puts the questions of one server, one after another, for as long as its connection lasts. */
export class Elicitor {
  private readonly turns = new Sequencer();
  /** The pages that are asked for or visited, by the id under which the server tells that it is done. */
  private readonly visits = new Map<string, AbortController>();
  private readonly refusals = new WeakMap<AbortSignal, number>();

  constructor(private readonly ports: ElicitorPorts) {}

  answer(question: Question, state: QuestionState): Promise<ElicitResult> {
    return this.turns.run(async () => {
      const { over } = state;
      const refused = this.refusals.get(over) ?? 0;
      if (refused >= mostRefusals) {
        this.ports.log.warn(`It asked again after ${mostRefusals} refusals in a row; nobody was asked.`);
        return { action: 'cancel' };
      }
      const answer = await (question.mode === 'form' ? this.ask(question, state) : this.show(question, state));
      this.refusals.set(over, answer.action === 'accept' ? 0 : refused + 1);
      return answer;
    });
  }

  /** The server says that a visit is over (spec: notifications/elicitation/complete). Other ids are ignored. */
  complete(params: unknown): void {
    const { elicitationId } = isObject(params) ? params : {};
    if (typeof elicitationId === 'string') {
      this.visits.get(elicitationId)?.abort();
    }
  }

  /** Has the pages visited that a request failed for; settles when it may be sent again. Rejects where it may not. */
  async visitRequired(
    data: unknown,
    signal: AbortSignal,
    answerer: Answerer | undefined,
    times: number,
  ): Promise<void> {
    const { key } = this.ports.server;
    const pages = readRequiredPages(data);
    if ('refused' in pages) {
      throw new PorticoError('REPLY_INVALID', `"${key}" wants a page opened first, but ${pages.refused}.`, {
        server: key,
      });
    }
    if (times >= mostVisits) {
      const hosts = [...new Set(pages.map(({ page }) => page.host))].join(', ');
      throw new PorticoError(
        'PAGE_REQUIRED',
        `"${key}" kept asking for a page at ${hosts} to be visited, ${times} times for one request, so it was given up. Finish what the page asks for before you go on, then try again; tell those who run the server if that does not help.`,
        { server: key },
      );
    }
    await this.turns.run(async () => {
      for (const page of pages) {
        const { action } = await this.visit(page, { signal, answerer, retries: true });
        signal.throwIfAborted();
        if (action !== 'accept') {
          const what = action === 'decline' ? 'that was declined' : 'nobody finished that';
          throw new PorticoError(
            'PAGE_REQUIRED',
            `"${key}" wants a page at ${page.page.host} visited first, and ${what}. Try again to be asked again.`,
            { server: key },
          );
        }
      }
    });
  }

  private ask(question: FormQuestion, { signal, answerer }: QuestionState): Promise<ElicitResult> {
    const { server, ui, checkSchema } = this.ports;
    // Where that client asks, nothing else need say who wants to know.
    const message = `“${server.key}” asks: ${question.message}`;
    const caller = answerer && asCaller(answerer, { message, requestedSchema: question.schema });
    return answerElicitation(question, server, caller, ui, checkSchema, signal);
  }

  private async show(question: PageQuestion, state: QuestionState): Promise<ElicitResult> {
    return state.signal.aborted ? { action: 'cancel' } : this.visit(question, state);
  }

  /** Settles with the answer; where the request is sent again after the visit, when the visit is over. */
  private async visit(
    { message, page, id }: PageQuestion,
    { signal, answerer, retries }: Pick<QuestionState, 'signal' | 'answerer' | 'retries'>,
  ): Promise<{ readonly action: ElicitResult['action'] }> {
    const done = new AbortController();
    if (id !== undefined) {
      this.visits.set(id, done);
    }
    const forget = (): void => {
      if (id !== undefined && this.visits.get(id) === done) {
        this.visits.delete(id);
      }
    };
    const stop = AbortSignal.any([signal, done.signal]);
    const stopped = new Promise<{ readonly action: 'accept' | 'cancel' }>((resolve) => {
      const settle = (): void => {
        forget();
        // The server may have what it wanted before the editor says that it opened the page.
        resolve({ action: done.signal.aborted ? 'accept' : 'cancel' });
      };
      stop.addEventListener('abort', settle, { once: true });
    });
    const { server, ui } = this.ports;
    const request = { server, message, page, retries, ...(answerer ? { caller: asCaller(answerer) } : {}) };
    const asked: Promise<Visit> = ui.visit?.(request, stop) ?? Promise.resolve({ action: 'cancel' });
    const visit = await Promise.race([asked, stopped]);
    if ('over' in visit && !retries) {
      // The page is still open, and the server may say when it is done.
      return { action: 'accept' };
    }
    const through = 'over' in visit ? visit.over.then((well) => (well ? 'accept' : 'cancel')) : visit.action;
    const action = await Promise.race([through, stopped.then((end) => end.action)]);
    forget();
    return { action };
  }
}

function asCaller(answerer: Answerer, form?: object): AskingCaller {
  const { elicitation } = answerer.capabilities;
  // An empty object means forms, as it did before there were modes.
  const takesForms = elicitation && (elicitation.form || !elicitation.url);
  return {
    ...(form && takesForms
      ? { ask: async (signal) => readAnswer(await answerer.answer('elicitation/create', form, signal)) }
      : {}),
    tell: (where) => answerer.tell?.(where),
  };
}

function readAnswer(answer: unknown): ElicitResult {
  const { action, content } = isObject(answer) ? answer : {};
  if (action === 'accept') {
    // Checked against the question's schema before it is sent on.
    return { action, content: (isObject(content) ? content : {}) as ElicitResult['content'] };
  }
  return { action: action === 'decline' ? 'decline' : 'cancel' };
}
