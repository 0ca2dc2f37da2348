import type { Launch } from '../configTypes';
import { record } from '../readEntry';
import { nothing, type Reading, recognized, servers, stdio } from './recognized';
import { recognizeJson } from './recognizeJson';

/** `claude mcp add …` and its like of other command-line agents, and the editor's `--add-mcp`. */
export function recognizeClient(words: readonly string[]): Reading {
  const addMcp = words.findIndex((word) => word === '--add-mcp' || word.startsWith('--add-mcp='));
  if (addMcp > 0) {
    const word = words[addMcp] ?? '';
    const json = word.includes('=') ? word.slice(word.indexOf('=') + 1) : (words[addMcp + 1] ?? '');
    return recognizeJson(json) ?? nothing('What follows --add-mcp is not JSON.');
  }
  const [client, mcp, verb, ...rest] = words;
  if (mcp !== 'mcp' || !/^[a-z-]+$/.test(client ?? '')) {
    return undefined;
  }
  switch (verb) {
    case 'add':
      return add(rest);
    case 'add-json':
      return addJson(rest);
    default:
      return nothing(`\`${client} mcp ${verb ?? ''}\` adds no server: paste the line that says \`mcp add\`.`);
  }
}

interface Added {
  readonly positional: string[];
  readonly env: [string, string][];
  readonly headers: [string, string][];
  readonly command: string[];
  transport?: string;
  url?: string;
}

const valueFlags = [
  '-s',
  '--scope',
  '--timeout',
  '--description',
  '--include-tools',
  '--exclude-tools',
  '--client-id',
  '--callback-port',
];

function add(words: readonly string[]): Reading {
  const added = readFlags(words);
  const [name, target, ...args] = added.positional;
  if (name === undefined) {
    return nothing('The line names no server after `mcp add`.');
  }
  const [command, ...rest] = added.command.length > 0 ? added.command : target === undefined ? [] : [target, ...args];
  const url = added.url ?? (isUrl(target) ? target : undefined);
  if (url !== undefined && added.transport !== 'stdio') {
    const type = added.transport === 'sse' || (added.transport === undefined && url.endsWith('/sse')) ? 'sse' : 'http';
    const launch: Launch = { type, url, headers: record(added.headers) };
    return servers(recognized(launch, name));
  }
  return command === undefined
    ? nothing(`The line gives no command or address for "${name}".`)
    : servers(recognized(stdio(command, rest, added.env), name));
}

/** Behind the command of a stdio server everything is the server's; behind an address more flags may follow. */
function readFlags(words: readonly string[]): Added {
  const added: Added = { positional: [], env: [], headers: [], command: [] };
  const queue = [...words];
  const many = (fits: (word: string) => boolean): string[] => {
    const taken = queue.splice(0, 1);
    while (queue[0] !== undefined && fits(queue[0])) {
      taken.push(...queue.splice(0, 1));
    }
    return taken;
  };
  while (queue.length > 0) {
    const [flag = '', inline] = splitFlag(queue.shift() ?? '');
    if (inline !== undefined) {
      queue.unshift(inline);
    }
    if (flag === '--') {
      added.command.push(...queue.splice(0));
    } else if (flag === '-e' || flag === '--env') {
      added.env.push(...many((word) => /^[A-Za-z_]\w*=/.test(word)).map((word) => pair(word, '=')));
    } else if (flag === '-H' || flag === '--header') {
      added.headers.push(...many((word) => /^[\w-]+:(?!\/\/)/.test(word)).map((word) => pair(word, ':')));
    } else if (flag === '-t' || flag === '--transport') {
      added.transport = (queue.shift() ?? '').toLowerCase();
    } else if (flag === '--url') {
      added.url = queue.shift() ?? '';
    } else if (flag === '--bearer-token-env-var') {
      added.headers.push(['Authorization', `Bearer \${env:${queue.shift() ?? ''}}`]);
    } else if (valueFlags.includes(flag)) {
      queue.shift();
    } else if (!flag.startsWith('-')) {
      added.positional.push(flag);
      if (added.positional.length === 2 && !isUrl(flag)) {
        const rest = queue.splice(0);
        added.positional.push(...(rest[0] === '--' ? rest.slice(1) : rest));
      }
    }
  }
  return added;
}

function addJson(words: readonly string[]): Reading {
  const { positional } = readFlags(words.filter((word) => word !== '--'));
  const [name, ...json] = positional;
  const reading = recognizeJson(json.join(' '));
  if (name === undefined || reading?.kind !== 'servers') {
    return reading ?? nothing('The line holds no JSON after the name.');
  }
  return servers(...reading.servers.map(({ launch, inputs }) => recognized(launch, name, inputs)));
}

function splitFlag(word: string): [string, string?] {
  const at = word.indexOf('=');
  return word.startsWith('--') && at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word];
}

function pair(word: string, mark: string): [string, string] {
  const at = word.indexOf(mark);
  return at < 0 ? [word, ''] : [word.slice(0, at).trim(), word.slice(at + 1).trim()];
}

function isUrl(word: string | undefined): word is string {
  return word !== undefined && /^https?:\/\//i.test(word);
}
