import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import { isObject, type JsonObject } from '../../base/schemaWalk';

/** What a server asks in form mode, as it was sent. */
export interface Question {
  readonly message: string;
  readonly schema: JsonObject;
}

/** Reads the params of `elicitation/create`. Whatever can be asked is asked; a question without a schema is a yes or no. */
export function readElicitation(params: unknown): StandardSchemaV1.Result<Question> {
  const { mode = 'form', message, requestedSchema = { type: 'object' } } = isObject(params) ? params : {};
  if (mode !== 'form') {
    return refused(`the mode ${JSON.stringify(mode)} was not declared; only "form" was`);
  }
  if (!isObject(requestedSchema)) {
    return refused('requestedSchema is no object');
  }
  return { value: { message: typeof message === 'string' ? message : '', schema: requestedSchema } };
}

function refused(message: string): StandardSchemaV1.FailureResult {
  return { issues: [{ message }] };
}
