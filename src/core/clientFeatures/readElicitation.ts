import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import { isObject, type JsonObject } from '../../base/jsonObject';
import { readWebAddress, type WebAddress } from '../../base/webAddress';

/** What a server asks in form mode, as it was sent. */
export interface FormQuestion {
  readonly mode: 'form';
  readonly message: string;
  readonly schema: JsonObject;
}

/** A page that a server wants visited. */
export interface PageQuestion {
  readonly mode: 'url';
  readonly message: string;
  readonly page: WebAddress;
  /** By it the server tells that the visit is over; the stateless era has none. */
  readonly id?: string;
}

export type Question = FormQuestion | PageQuestion;
export type QuestionMode = Question['mode'];

/** Reads the params of `elicitation/create`. Whatever can be asked is asked; a question without a schema is a yes or no. */
export function readElicitation(params: unknown, modes: readonly QuestionMode[]): StandardSchemaV1.Result<Question> {
  const { mode = 'form', message, requestedSchema = { type: 'object' } } = isObject(params) ? params : {};
  const text = typeof message === 'string' ? message : '';
  if (!modes.some((declared) => declared === mode)) {
    const declared = modes.map((known) => JSON.stringify(known)).join(' and ');
    return refused(
      `the mode ${JSON.stringify(mode)} was not declared; only ${declared} ${modes.length > 1 ? 'were' : 'was'}`,
    );
  }
  if (mode === 'url') {
    return readPage(params, text);
  }
  if (!isObject(requestedSchema)) {
    return refused('requestedSchema is no object');
  }
  return { value: { mode: 'form', message: text, schema: requestedSchema } };
}

function readPage(params: unknown, message: string): StandardSchemaV1.Result<PageQuestion> {
  const { url, elicitationId } = isObject(params) ? params : {};
  const page = readWebAddress(url);
  return 'refused' in page
    ? refused(`the url is refused, because ${page.refused}`)
    : { value: { mode: 'url', message, page, ...(typeof elicitationId === 'string' ? { id: elicitationId } : {}) } };
}

/**
 * Reads the data of an error that wants pages visited first (spec: 2025-11-25 client/elicitation, URL elicitation
 * required). All of them must be usable: the request would fail again otherwise.
 */
export function readRequiredPages(data: unknown): readonly PageQuestion[] | { readonly refused: string } {
  const { elicitations } = isObject(data) ? data : {};
  if (!Array.isArray(elicitations) || elicitations.length === 0) {
    return { refused: 'it does not say which' };
  }
  if (elicitations.length > mostPages) {
    return { refused: `it names ${elicitations.length} of them, and ${mostPages} are the most` };
  }
  const pages: PageQuestion[] = [];
  for (const params of elicitations) {
    const read = readElicitation(params, ['url']);
    if (read.issues) {
      return { refused: read.issues.map(({ message }) => message).join('; ') };
    }
    if (read.value.mode === 'url') {
      pages.push(read.value);
    }
  }
  return pages;
}

const mostPages = 5;

function refused(message: string): StandardSchemaV1.FailureResult {
  return { issues: [{ message }] };
}
