import { readFileSync } from 'node:fs';
import { PorticoError } from '../base/errors';
import { isObject } from '../base/schemaWalk';
import type { ElicitationUi } from '../core/clientFeatures/clientFeatureTypes';

type Answer = Awaited<ReturnType<ElicitationUi['ask']>>;

/** Answers servers from a list, in order; declines where there is none, or none is left. */
export function listedAnswers(answers: readonly Answer[]): ElicitationUi {
  const left = [...answers];
  return { ask: async () => left.shift() ?? { action: 'decline' } };
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
