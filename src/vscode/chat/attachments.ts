import { type ChatPromptReference, LanguageModelTextPart, Location, Uri, workspace } from 'vscode';
import { cancelled, toProblem } from '../../base/errors';
import { isObject } from '../../base/jsonObject';
import type { Hub } from '../../core/hubTypes';
import { type ContentPart, resourceParts, toContentParts } from '../interop/contentParts';
import { inertLine } from '../interop/text';
import { type ResourceAddress, toResourceAddress } from '../interop/resourceAddress';

/** Text of one attachment beyond this is cut, in characters: about 25,000 tokens. */
const maxText = 100_000;

/** What the person attached, for the model; what cannot be read says so, and the others go on. */
export async function attachmentParts(
  hub: Hub,
  { value, modelDescription }: ChatPromptReference,
  signal: AbortSignal,
  report: (doing: string) => void,
): Promise<ContentPart[]> {
  if (typeof value === 'string') {
    return [text(`Attached${modelDescription === undefined ? '' : ` (${modelDescription})`}:\n${value}`)];
  }
  const uri = addressOf(value);
  const name = uri?.toString(true) ?? modelDescription ?? 'file';
  try {
    const resource = uri && toResourceAddress(uri);
    if (resource) {
      report(`Reading ${inertLine(resource.uri, 100)}`);
      return await readResource(hub, resource, signal);
    }
    const picture = await pictureOf(value);
    if (picture) {
      return [text(`Attached ${name}:`), ...(await toContentParts(hub, { content: [picture] }))];
    }
    return uri ? [text(`Attached ${name}:\n${await readText(uri, value)}`)] : [];
  } catch (error) {
    if (signal.aborted) {
      throw cancelled('The answer');
    }
    return [text(`Attached ${name}, which could not be read: ${toProblem(error).message}`)];
  }
}

/** Of a file, a place in one, or a picture that came from a file. */
function addressOf(value: unknown): Uri | undefined {
  if (value instanceof Location) {
    return value.uri;
  }
  const uri = isObject(value) && !(value instanceof Uri) ? value['reference'] : value;
  return uri instanceof Uri ? uri : undefined;
}

/** All contents, or the one that is attached, under the name of the server and the URI. */
async function readResource(
  hub: Hub,
  { server, uri, part }: ResourceAddress,
  signal: AbortSignal,
): Promise<ContentPart[]> {
  const key = hub.server(server)?.definition.key ?? server;
  const result = await hub.readResource(server, uri, { interactive: true, signal });
  const contents = part === undefined ? result.contents : result.contents.slice(part, part + 1);
  return [
    text(`Attached resource ${uri} of the server "${key}":`),
    ...(await resourceParts(hub, { ...result, contents })).map(cut),
  ];
}

/** The editor gives a picture as its bytes (no interface of its API names this yet). */
async function pictureOf(value: unknown): Promise<{ type: 'image'; mimeType: string; data: string } | undefined> {
  if (!isObject(value) || typeof value['mimeType'] !== 'string' || typeof value['data'] !== 'function') {
    return undefined;
  }
  const bytes: unknown = await value['data']();
  return bytes instanceof Uint8Array
    ? { type: 'image', mimeType: value['mimeType'], data: Buffer.from(bytes).toString('base64') }
    : undefined;
}

async function readText(uri: Uri, value: unknown): Promise<string> {
  const document = await workspace.openTextDocument(uri);
  return document.getText(value instanceof Location ? value.range : undefined);
}

function text(value: string): LanguageModelTextPart {
  return new LanguageModelTextPart(value.length > maxText ? `${value.slice(0, maxText)}\n[cut]` : value);
}

function cut(part: ContentPart): ContentPart {
  return part instanceof LanguageModelTextPart ? text(part.value) : part;
}
