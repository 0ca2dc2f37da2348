import { readFileSync } from 'node:fs';
import { PorticoError, type Problem } from '../base/errors';
import { isObject } from '../base/jsonObject';
import { withDefaults } from '../base/schemaDefaults';
import type { ElicitationUi } from '../core/clientFeatures/clientFeatureTypes';
import { bounded } from './output';

type Answer = Awaited<ReturnType<ElicitationUi['ask']>>;

const longestReason = 200;

/**
 * Answers servers from a list, in order; declines where there is none, or none is left. To accept fills in the defaults of
 * what the answer does not mention; a page is accepted by naming it, as the CLI opens none. All that was not accepted is told.
 */
export function listedAnswers(
  answers: readonly Answer[],
  tell: (server: string, problem: Problem, detail?: readonly string[]) => void,
): ElicitationUi {
  const left = [...answers];
  const next = (server: string, asked: string, detail?: readonly string[]): Answer => {
    const listed = left.shift();
    const { action } = listed ?? { action: 'decline' };
    if (action !== 'accept') {
      const why = listed ? 'as the answer listed for it says' : 'because no answer is listed for it (--answers FILE)';
      const what = action === 'decline' ? 'DECLINED' : 'CANCELLED';
      tell(server, { code: what, message: `${asked} That was not accepted, ${why}.` }, detail);
    }
    return listed ?? { action: 'decline' };
  };
  return {
    ask: async ({ server: { key }, message, schema }) => {
      const answer = next(key, `It asked ${quoted(message)}.`);
      return answer.action === 'accept'
        ? { ...answer, content: withDefaults(schema, answer.content ?? {}) as Answer['content'] }
        : answer;
    },
    visit: async ({ server: { key }, message, page }) => {
      const what = `a page at ${page.host}: ${quoted(message)}.`;
      const detail = [page.url, ...page.warnings.map((warning) => `Take care: ${warning}`)];
      const { action } = next(key, `It asked to open ${what}`, detail);
      if (action !== 'accept') {
        return { action };
      }
      tell(key, { code: 'PAGE', message: `It asks you to open ${what}` }, detail);
      return { action, over: Promise.resolve(true) };
    },
  };
}

function quoted(message: string): string {
  return `“${bounded(message, longestReason)}”`;
}

/** Reads a file of answers: `{"elicitation": [{"action": "accept", "content": {…}}, …]}`. Throws what is wrong with it. */
export function readAnswers(path: string): readonly Answer[] {
  let file: unknown;
  try {
    file = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw invalid(path, error instanceof Error ? error.message : String(error));
  }
  if (!isObject(file)) {
    throw invalid(path, 'it is no JSON object');
  }
  const { elicitation = [] } = file;
  if (!Array.isArray(elicitation)) {
    throw invalid(path, '"elicitation" is no array');
  }
  return elicitation.map((answer: unknown, index) => {
    if (!isAnswer(answer)) {
      throw invalid(
        path,
        `answer ${index + 1} of "elicitation" needs an "action" ("accept", "decline" or "cancel") and, to accept, its "content" as an object`,
      );
    }
    return answer;
  });
}

function isAnswer(value: unknown): value is Answer {
  return (
    isObject(value) &&
    ['accept', 'decline', 'cancel'].includes(String(value['action'])) &&
    (value['content'] === undefined || isObject(value['content']))
  );
}

function invalid(path: string, reason: string): PorticoError {
  return new PorticoError('CONFIG_INVALID', `The answers in ${path} cannot be read: ${reason}.`);
}
