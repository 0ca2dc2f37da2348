import { isObject } from '../../../base/jsonObject';
import { readInputs } from '../readInputs';
import { splitCommand } from './commandWords';
import { nothing, type Reading, recognizedEntry } from './recognized';

const installLink =
  /(?:vscode(?:-insiders)?|cursor|code-oss|vscodium):[^\s)\]"'<>]+|https:\/\/(?:insiders\.)?vscode\.dev\/redirect[^\s)\]"'<>]+|https:\/\/(?:www\.)?cursor\.com\/(?:\w+\/)?install-mcp[^\s)\]"'<>]+/;

/** Install links of editors, bare or as a README's button. */
export function recognizeLink(text: string): Reading {
  // The JSON of a link is sometimes not encoded, and then holds quotes and spaces: then the whole text is the link.
  const link = /^[a-z-]+:\S*[{]/.test(text) ? text : installLink.exec(text)?.[0];
  if (link === undefined || !installLink.test(link) || (!text.startsWith(link) && !text.includes(']('))) {
    return undefined;
  }
  try {
    return (
      readLink(link) ?? nothing('This link names no server that could be read: paste the server’s command or address.')
    );
  } catch (error) {
    return nothing(`This link cannot be decoded (${error instanceof Error ? error.message : 'unknown reason'}).`);
  }
}

function readLink(link: string): Reading {
  const query = link.slice(link.indexOf('?') + 1);
  const fields = new URLSearchParams(query.split('#')[0]);
  const inner = fields.get('url');
  if (inner !== null && installLink.test(inner)) {
    return readLink(inner);
  }
  const config = fields.get('config');
  if (config === null) {
    const value = parse(decodeURIComponent(query));
    return value === undefined ? undefined : entry(value, undefined);
  }
  const value = parse(config) ?? parse(Buffer.from(config.replaceAll(' ', '+'), 'base64').toString('utf8'));
  const inputs = fields.get('inputs');
  return value === undefined
    ? undefined
    : entry(value, fields.get('name') ?? undefined, inputs === null ? undefined : parse(inputs));
}

function entry(value: unknown, name: string | undefined, inputs?: unknown): Reading {
  if (!isObject(value)) {
    return undefined;
  }
  const { command, args } = value;
  // Some editors' links hold the whole command line as the command.
  const split = typeof command === 'string' && args === undefined ? splitCommand(command) : undefined;
  const [program, ...rest] = split?.kind === 'words' ? split.words : [];
  const whole = program === undefined ? value : { ...value, command: program, args: rest };
  return recognizedEntry(whole, name, readInputs(inputs ?? value['inputs']));
}

/** The JSON value of a text, or nothing where it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the caller tries another encoding, or says so.
    return undefined;
  }
}
