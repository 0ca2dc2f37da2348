import { isObject, type JsonObject } from '../../base/jsonObject';
import { fromBase64 } from './base64';
import { documentName } from './documentName';
import { endingsOf } from './mimeTypes';

export interface ContentFile {
  readonly name: string;
  readonly data: string | Uint8Array;
}

/** A content that is no text as a file that the editor can show; nothing where it holds no data that can be read. */
export function contentFile(content: JsonObject): ContentFile | undefined {
  const { type } = content;
  if (type === 'image' || type === 'audio') {
    const ending = endingsOf(stringOf(content['mimeType']))[0] ?? 'bin';
    return withData(`${type}.${ending}`, content['data']);
  }
  const resource = isObject(content['resource']) ? content['resource'] : {};
  const { uri, text, blob } = resource;
  if (type !== 'resource' || typeof uri !== 'string') {
    return undefined;
  }
  const mimeType = stringOf(resource['mimeType']);
  return typeof text === 'string'
    ? { name: documentName({ uri, mimeType, text: true }), data: text }
    : withData(documentName({ uri, mimeType }), blob);
}

function withData(name: string, base64: unknown): ContentFile | undefined {
  const data = typeof base64 === 'string' ? fromBase64(base64) : undefined;
  return data && { name, data };
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
