import type { InputDefinition, Launch } from '../configTypes';
import { record } from '../readEntry';

/** A launch whose secrets and placeholders have become inputs. */
export interface Sheltered {
  readonly launch: Launch;
  readonly inputs: readonly InputDefinition[];
  /** The secrets that stood there, by input id. */
  readonly secrets: Readonly<Record<string, string>>;
}

const secretName =
  /(^|[-_.]|[a-z])(api[-_]?key|key|token|secret|password|passwd|pwd|credentials?|auth|authorization|pat)s?$/i;
const secretValue =
  /^(sk-|sk_|pk_|rk_|gh[opsu]_|github_pat_|xox[abps]-|glpat-|AKIA|AIza|npm_|hf_|pypi-|eyJ|lin_api_|ntn_|secret_)[\w.-]{8,}$/;
const placeholder =
  /^<[^<>]+>$|^\[[^\]]+\]$|^\{+[^{}]+\}+$|^\$[A-Z_][A-Z0-9_]*$|^%[A-Z_][A-Z0-9_]*%$|^x{3,}$|x{4,}$|^\*{3,}$|^\.{3,}$|\.{3}$|…$|(^|[-_ ])(your|insert|enter|replace|change)[-_ ]?(me|the|own|\w+[-_ ]?(key|token|id|secret|name)|here|api|\w+$)|path[/\\]to[/\\]/i;

/** Moves what must not stand in a file, or is to be filled in, into inputs of the server. */
export function shelter(launch: Launch, key: string, given: readonly InputDefinition[]): Sheltered {
  const inputs = new Map(given.map((input) => [input.id, input]));
  const secrets = new Map<string, string>();

  const toInput = (name: string, value: string, secret: boolean): string => {
    const id = `${key}-${name
      .replace(/^-+/, '')
      .replace(/[^A-Za-z0-9]+/g, '-')
      .toLowerCase()}`;
    inputs.set(id, {
      id,
      type: 'promptString',
      description: name.replace(/^-+/, ''),
      ...(secret ? { password: true } : {}),
    });
    if (!placeholder.test(value) && value !== '') {
      secrets.set(id, value);
    }
    return `\${input:${id}}`;
  };
  const value = (name: string, text: string, named = true): string => {
    if (text.includes('${')) {
      return text;
    }
    const scheme = /^(Bearer|Basic|Token|token) +/.exec(text)?.[0] ?? '';
    const rest = text.slice(scheme.length);
    const isSecret =
      (named && secretName.test(name) && !/^(true|false|\d{1,4})$/i.test(rest)) || secretValue.test(rest);
    return isSecret || placeholder.test(rest) ? scheme + toInput(name, rest, isSecret) : text;
  };

  const sheltered: Launch =
    launch.type === 'stdio'
      ? { ...launch, args: shelterArgs(launch.args, value), env: shelterEnv(launch.env, value) }
      : {
          ...launch,
          url: shelterQuery(withoutUser(launch.url), value),
          headers: shelterMap({ ...userHeader(launch.url), ...launch.headers }, value),
        };
  return { launch: sheltered, inputs: [...inputs.values()], secrets: record(secrets) };
}

type Shelter = (name: string, value: string, named?: boolean) => string;

/** `--api-key VALUE`, `--api-key=VALUE`, `NAME=VALUE` behind `-e`, and values that show what they are. */
function shelterArgs(args: readonly string[], shelterValue: Shelter): readonly string[] {
  return args.map((arg, index) => {
    const [, name, value] = /^(--?[\w-]+|[A-Z_][A-Z0-9_]*)=([^]*)$/.exec(arg) ?? [];
    if (name !== undefined && value !== undefined) {
      return `${name}=${shelterValue(name, value)}`;
    }
    const flag = args[index - 1] ?? '';
    const named = flag.startsWith('--') && !arg.startsWith('-');
    return shelterValue(named ? flag : wordsOf(arg, index), arg, named);
  });
}

/** A placeholder names itself: `<user name>`; a path to fill in goes by its last part. */
function wordsOf(arg: string, index: number): string {
  const words = arg.replace(/^.*path[/\\]to[/\\]/i, '').replace(/[<>{}[\]$%]/g, '');
  return placeholder.test(arg) && /^[\w ./\\-]{1,40}$/.test(words) ? words : `argument-${index + 1}`;
}

function shelterEnv(
  env: Readonly<Record<string, string | null>>,
  shelterValue: Shelter,
): Readonly<Record<string, string | null>> {
  return record(
    Object.entries(env).map(([name, text]) => [name, text === null ? null : shelterValue(name, text)] as const),
  );
}

function shelterMap(map: Readonly<Record<string, string>>, shelterValue: Shelter): Readonly<Record<string, string>> {
  return record(Object.entries(map).map(([name, text]) => [name, shelterValue(name, text)] as const));
}

function shelterQuery(url: string, shelterValue: Shelter): string {
  return url.replace(/([?&])([^=&#]+)=([^&#]*)/g, (_, mark: string, name: string, value: string) => {
    return `${mark}${name}=${shelterValue(name, value)}`;
  });
}

/** A name and password in an address are what the header says: `https://me:secret@host/`. */
function userHeader(url: string): Readonly<Record<string, string>> {
  if (!URL.canParse(url)) {
    return {};
  }
  const { username, password } = new URL(url);
  const user = `${decoded(username)}:${decoded(password)}`;
  return user === ':' ? {} : { Authorization: `Basic ${Buffer.from(user).toString('base64')}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A bare `%` stands for itself.
    return text;
  }
}

function withoutUser(url: string): string {
  return url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1');
}
