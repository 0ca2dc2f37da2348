import { isUtf8 } from 'node:buffer';
import { isObject } from '../../base/jsonObject';
import { fromBase64 } from '../interop/base64';
import type { ResourcePart } from '../interop/knownResources';

/** One of the contents of a read, its bytes as the server meant them. */
export interface ResourceContent extends ResourcePart {
  readonly bytes: Uint8Array;
}

const cannotBeShown = 'The server sent a content here that is neither text nor base64.\n';

/** The contents of an answer to `resources/read`, whatever each of them is. */
export function toContents(uri: string, contents: readonly unknown[]): readonly ResourceContent[] {
  return contents.map((content) => toContent(uri, isObject(content) ? content : {}));
}

function toContent(asked: string, content: Readonly<Record<string, unknown>>): ResourceContent {
  const { uri, mimeType, text, blob } = content;
  const bytes = typeof text !== 'string' && typeof blob === 'string' ? fromBase64(blob) : undefined;
  const data = bytes ?? Buffer.from(typeof text === 'string' ? text : cannotBeShown);
  return {
    uri: typeof uri === 'string' ? uri : asked,
    ...(typeof mimeType === 'string' && (bytes ?? text) !== undefined ? { mimeType } : {}),
    text: isText(data),
    size: data.byteLength,
    bytes: data,
  };
}

/** The editor takes what has a NUL near its beginning for binary; bytes that are no UTF-8 would be shown as garbage. */
function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 8_192).includes(0) && isUtf8(bytes);
}
