import { PorticoError } from '../../base/errors';
import { isObject, type JsonObject } from '../../base/jsonObject';

/** What a model sent as the input of one of Portico's own tools: nobody vouches for its shape. */
export function textInput(input: unknown, key: string): string {
  const value = isObject(input) ? input[key] : undefined;
  if (typeof value !== 'string' || value === '') {
    throw new PorticoError('ARGUMENTS_INVALID', `"${key}" must be a text that is not empty.`);
  }
  return value;
}

export function numberInput(input: unknown, key: string): number | undefined {
  const value = isObject(input) ? input[key] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** An object, also where a model wrote it as JSON text; absent means `{}`. */
export function objectInput(input: unknown, key: string): JsonObject {
  const given = isObject(input) ? input[key] : undefined;
  const value = typeof given === 'string' ? parsed(given) : (given ?? {});
  if (!isObject(value)) {
    throw new PorticoError('ARGUMENTS_INVALID', `"${key}" must be an object.`);
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Reported by the caller as not being an object.
    return undefined;
  }
}
