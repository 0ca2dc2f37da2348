import type { Tool } from '@modelcontextprotocol/client';
import { isObject } from '../../base/jsonObject';
import { readParamHeaders } from './paramHeaders';
import { shortText } from '../../base/plainText';
import { type Fields, type ReadEntry, unusable, withoutMistyped } from './readEntries';

/** Over Streamable HTTP a tool with wrong `x-mcp-header` annotations must be set aside too (2026-07-28). */
export function readMirroredTool(entry: Fields): ReadEntry<Tool> {
  const read = readTool(entry);
  const headers = 'item' in read ? readParamHeaders(read.item.inputSchema) : [];
  return typeof headers === 'string' ? unusable(entry['name'], headers) : read;
}

/** A tool is usable with a name and a schema that is an object; schemas are compiled at the first call, not here. */
export function readTool(entry: Fields): ReadEntry<Tool> {
  const { name, inputSchema } = entry;
  if (typeof name !== 'string' || name === '') {
    return unusable(name, 'The tool has no name.');
  }
  if (!isObject(inputSchema)) {
    return unusable(name, `The tool "${shortText(name)}" has no "inputSchema" that is an object.`);
  }
  const kept = withoutMistyped(entry, {
    title: 'string',
    description: 'string',
    annotations: 'object',
    outputSchema: 'object',
    icons: 'array',
    _meta: 'object',
  });
  return { key: name, item: kept as unknown as Tool };
}
