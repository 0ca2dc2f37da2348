import type { JSONRPCRequest, Result } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock';
import { PorticoError } from '../../base/errors';
import { isObject } from '../../base/jsonObject';
import { notOffered } from './notOffered';
import type { Fields } from './readEntries';

/** The requests that a server may answer with `input_required` (spec: 2026-07-28 basic/patterns/mrtr). */
export const INPUT_METHODS: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);
/** What it may ask for in such an answer. */
const QUESTIONS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);

export const MOST_ROUNDS = 10;
const MOST_QUESTIONS = 32;
/** Before an answer without questions is sent again: the first wait, doubled each time up to the longest. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;

export interface InputPorts {
  /** The key of the server. */
  readonly server: string;
  readonly clock: Clock;
  /** Aborts when the request is over, for whatever reason. */
  readonly signal: AbortSignal;
  /** Sends the request once more, with a new id. */
  send(params: Fields): Promise<Fields>;
  /** The answer of the feature that serves this method; nothing where none is declared. */
  handler(method: string): ((request: JSONRPCRequest, signal: AbortSignal) => Promise<Result>) | undefined;
}

function invalid(server: string, what: string): PorticoError {
  return new PorticoError('REPLY_INVALID', `"${server}" ${what} Ask its author to mend it.`, { server });
}

/**
 * Answers what a server asks for in `input_required` results and sends the request again, until its result is another
 * one. The state goes back as it came; a server that asks the same again after the same answers is stopped.
 */
export async function answerInputRequired(
  method: string,
  params: Fields,
  first: Fields,
  ports: InputPorts,
): Promise<Fields> {
  const { server, clock, signal } = ports;
  const seen = new Set<string>();
  let result = first;
  for (let round = 0; result['resultType'] === 'input_required'; round += 1) {
    if (!INPUT_METHODS.has(method)) {
      throw invalid(server, `wants input for ${method}, which the protocol does not allow.`);
    }
    if (round === MOST_ROUNDS) {
      throw invalid(server, `still wanted input for ${method} after ${MOST_ROUNDS} rounds, so it was given up.`);
    }
    const { inputRequests, requestState } = result;
    const questions = readQuestions(inputRequests, server);
    if (questions.length === 0 && requestState === undefined) {
      throw invalid(server, `wants input for ${method}, but says neither which nor what to send back.`);
    }
    const inputResponses = await answerAll(questions, ports);
    if (questions.length > 0) {
      const exchange = JSON.stringify([inputRequests, requestState, inputResponses]);
      // A page may need more time: there the person sets the pace.
      if (seen.has(exchange) && !questions.some(({ params: asked }) => asked?.['mode'] === 'url')) {
        throw invalid(server, `asks the same for ${method} again and again, so it was given up.`);
      }
      seen.add(exchange);
    } else {
      await wait(Math.min(FIRST_WAIT_MS * 2 ** round, LONGEST_WAIT_MS), clock, signal);
    }
    result = await ports.send({
      ...params,
      ...(questions.length > 0 ? { inputResponses } : {}),
      ...(requestState === undefined ? {} : { requestState }),
    });
  }
  return result;
}

/** Answers the questions of one `inputRequests`, as they also come within tasks. */
export async function answerQuestions(inputRequests: unknown, ports: Omit<InputPorts, 'send'>): Promise<Fields> {
  return answerAll(readQuestions(inputRequests, ports.server), ports);
}

/** Every question of a round is looked at before the first is put to anybody. */
function readQuestions(inputRequests: unknown, server: string): readonly JSONRPCRequest[] {
  if (inputRequests === undefined || inputRequests === null) {
    return [];
  }
  if (!isObject(inputRequests)) {
    throw invalid(server, 'asks for input in a form that is none.');
  }
  const entries = Object.entries(inputRequests);
  if (entries.length > MOST_QUESTIONS) {
    throw invalid(server, `asks ${entries.length} questions at once; ${MOST_QUESTIONS} are the most.`);
  }
  return entries.map(([id, question]) => {
    const { method, params } = isObject(question) ? question : {};
    if (typeof method !== 'string' || !QUESTIONS.has(method)) {
      const what = typeof method === 'string' ? JSON.stringify(method.slice(0, 100)) : 'something without a method';
      throw invalid(server, `asks for ${what}, which is no kind of input that the protocol knows.`);
    }
    return { jsonrpc: '2.0', id, method, ...(isObject(params) ? { params } : {}) };
  });
}

/** Puts all questions of a round; they are independent of each other. Where one fails, the others are taken back. */
async function answerAll(questions: readonly JSONRPCRequest[], ports: Omit<InputPorts, 'send'>): Promise<Fields> {
  const { server, signal } = ports;
  const handlers = questions.map(({ method }) => {
    const handler = ports.handler(method);
    if (!handler) {
      throw notOffered(server, method);
    }
    return handler;
  });
  signal.throwIfAborted();
  const round = new AbortController();
  const abandon = (): void => round.abort(signal.reason);
  signal.addEventListener('abort', abandon, { once: true });
  try {
    const answers = await Promise.all(
      questions.map(async (question, index) => [question.id, await handlers[index]?.(question, round.signal)] as const),
    );
    signal.throwIfAborted();
    return Object.fromEntries(answers);
  } finally {
    signal.removeEventListener('abort', abandon);
    round.abort();
  }
}

function wait(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abandon = (): void => {
      timer.dispose();
      reject(signal.reason);
    };
    const timer = clock.after(ms, () => {
      signal.removeEventListener('abort', abandon);
      resolve();
    });
    signal.addEventListener('abort', abandon, { once: true });
  });
}
