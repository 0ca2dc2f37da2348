import { type FetchLike, specTypeSchemas } from '@modelcontextprotocol/client';
import { PorticoError } from '../../../base/errors';
import { isObject } from '../../../base/jsonObject';
import { isToken } from './tokenFacts';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
/** Of an answer that brings a token, what is of use but not needed; as text. */
const BESIDE = ['scope', 'refresh_token', 'id_token'];

/** Throws for an answer that is not what was asked for; says what it is instead. */
type Fail = (what: string) => never;
type Fields = Record<string, unknown>;

/**
 * The same fetch for what the SDK asks authorization servers: an answer that cannot be one is refused in words that name who
 * sent it. The SDK would pass on what its parsers say, with a piece of the answer, and take a token that no header can carry.
 */
export function checkAnswers(fetch: FetchLike, server: string): FetchLike {
  return async (input, init) => {
    const reply = await fetch(input, init);
    const { host } = new URL(input);
    const fail = (what: string): never => {
      throw new PorticoError('AUTH_FAILED', `Server "${server}": ${host} ${what} Tell those who run ${host}.`, {
        server,
      });
    };
    const text = await reply.text();
    const value = parse(text);
    if (init?.method !== 'POST') {
      const answered: Fail = (what) => fail(`answered a request for its metadata with ${what}.`);
      return again(reply, reply.ok && !isObject(value) ? answered(kindOf(text)) : text);
    }
    if (new Headers(init.headers).get('content-type')?.startsWith('application/json') === true) {
      const answered: Fail = (what) => fail(`answered the registration of Portico with ${what}.`);
      return again(reply, reply.ok ? readRegistration(value, text, answered) : text);
    }
    const answered: Fail = (what) => fail(`answered a request for a token with ${what}.`);
    const says = isObject(value) && typeof value['error'] === 'string';
    if (!reply.ok) {
      return again(reply, says ? text : answered(`HTTP ${reply.status} and no reason`));
    }
    if (says && !('access_token' in value)) {
      return again(reply, text);
    }
    const isExchange = new URLSearchParams(String(init.body)).get('grant_type') === TOKEN_EXCHANGE;
    const tokens = readTokens(value, text, isExchange, answered);
    if (!isToken(tokens['access_token'])) {
      fail('sent a token with characters that none may have. It is not used.');
    }
    return again(reply, JSON.stringify(tokens));
  };
}

function readTokens(value: unknown, text: string, isExchange: boolean, fail: Fail): Fields {
  if (!isObject(value)) {
    return fail(kindOf(text));
  }
  for (const name of isExchange ? ['access_token'] : ['access_token', 'token_type']) {
    if (typeof value[name] !== 'string') {
      return fail(`JSON that has no "${name}"`);
    }
  }
  if (isExchange && value['issued_token_type'] !== ID_JAG) {
    return fail('JSON that has not the "issued_token_type" that was asked for');
  }
  const { expires_in: seconds, ...given } = value;
  const tokens: Fields = given;
  for (const name of BESIDE.filter((name) => typeof tokens[name] !== 'string')) {
    delete tokens[name];
  }
  // Some write the number as text. What is none says nothing of the end, which is not the same as its being over.
  const end = typeof seconds === 'string' && seconds.trim() !== '' ? Number(seconds) : seconds;
  return { ...tokens, ...(typeof end === 'number' && Number.isFinite(end) ? { expires_in: end } : {}) };
}

/** What is not given may be written as null. */
function readRegistration(value: unknown, text: string, fail: Fail): string {
  if (!isObject(value)) {
    return fail(kindOf(text));
  }
  const client = Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
  if (typeof client['client_id'] !== 'string' || client['client_id'] === '') {
    return fail('JSON that has no "client_id"');
  }
  const result = specTypeSchemas.OAuthClientInformationFull['~standard'].validate(client);
  const field = 'issues' in result ? result.issues?.[0]?.path?.[0] : undefined;
  return field === undefined ? JSON.stringify(client) : fail(`JSON whose "${String(field)}" cannot be read`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function kindOf(text: string): string {
  return text.trim() === '' ? 'nothing' : /^\s*</.test(text) ? 'a web page' : 'something that is no JSON object';
}

/** The reply with this body; the SDK reads it by what is asked for here alone. */
function again({ status, headers }: Awaited<ReturnType<FetchLike>>, body: string): Response {
  return new Response(body === '' ? null : body, { status, headers });
}
