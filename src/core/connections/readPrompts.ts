import type { Prompt } from '@modelcontextprotocol/client';
import { isObject } from '../../base/jsonObject';
import { shortText } from '../../base/plainText';
import { type Fields, type ReadEntry, unusable, withoutMistyped } from './readEntries';

/** A prompt is usable with a name and arguments that have names. */
export function readPrompt(entry: Fields): ReadEntry<Prompt> {
  const { name, arguments: parameters } = entry;
  if (typeof name !== 'string' || name === '') {
    return unusable(name, 'The prompt has no name.');
  }
  if (parameters !== undefined && !(Array.isArray(parameters) && parameters.every(hasName))) {
    return unusable(name, `The prompt "${shortText(name)}" has arguments without a name.`);
  }
  const kept = withoutMistyped(entry, { title: 'string', description: 'string', icons: 'array', _meta: 'object' });
  return { key: name, item: kept as unknown as Prompt };
}

function hasName(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && value['name'] !== '';
}
