import { isAbsolute, join, resolve } from 'node:path';
import { PorticoError } from '../../base/errors';
import type { AuthSettings, ConfigFiles, ResolvedLaunch, ServerDefinition, StdioLaunch } from './configTypes';
import { parseEnvFile } from './envFile';
import { isServerUrl, record } from './readEntry';
import { expand, type Expandable, inputsOf, ownFolder, type VariableContext } from './variables';
import { mapAuth } from './withSettings';

export interface ResolveContext extends VariableContext {
  readonly files: ConfigFiles;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

type Expander = (text: string, where: string) => string;

/** Expands every variable of a definition, reads its env file and merges the environment. Nothing passes a shell. */
export async function resolveLaunch(context: ResolveContext, interactive: boolean): Promise<ResolvedLaunch> {
  const { definition, source } = context;
  const texts = [...expandables(definition)];
  for (const text of texts) {
    expand(text, context, undefined);
  }
  const inputs = new Map<string, string>();
  for (const input of inputsOf(texts, definition)) {
    inputs.set(input.id, await source.input(input, definition.key, interactive, definition.source));
  }
  const expander: Expander = (text, where) => expand({ text, where }, context, inputs);
  const { launch } = definition;
  if (launch.type === 'stdio') {
    return resolveStdio(launch, context, expander);
  }
  const url = expander(launch.url, '"url"');
  if (!isServerUrl(url) || !url.startsWith('http')) {
    // The expanded address may hold a secret and is not repeated.
    const message = `Server "${definition.key}" in ${definition.source.label} has no usable "url": it must begin with http:// or https:// once its variables are filled in.`;
    throw new PorticoError('CONFIG_INVALID', message, { server: definition.key });
  }
  const headers = Object.entries(launch.headers).map(
    ([name, value]) => [name, expander(value, `"headers" ${name}`)] as const,
  );
  const auth = launch.auth && mapAuth(launch.auth, expander);
  return { type: launch.type, url, headers: record(headers), ...(auth ? { auth } : {}) };
}

function* expandables({ launch }: ServerDefinition): Generator<Expandable> {
  if (launch.type !== 'stdio') {
    yield { text: launch.url, where: '"url"' };
    for (const [name, text] of Object.entries(launch.headers)) {
      yield { text, where: `"headers" ${name}` };
    }
    yield* authTexts(launch.auth);
    return;
  }
  yield { text: launch.command, where: '"command"' };
  for (const text of launch.args) {
    yield { text, where: '"args"' };
  }
  for (const [name, text] of Object.entries(launch.env)) {
    if (text !== null) {
      yield { text, where: `"env" ${name}` };
    }
  }
  for (const key of ['cwd', 'envFile'] as const) {
    const text = launch[key];
    if (text !== undefined) {
      yield { text, where: `"${key}"` };
    }
  }
}

function authTexts(auth: AuthSettings | undefined): readonly Expandable[] {
  const texts: Expandable[] = [];
  if (auth) {
    mapAuth(auth, (text, where) => {
      texts.push({ text, where });
      return text;
    });
  }
  return texts;
}

async function resolveStdio(launch: StdioLaunch, context: ResolveContext, expander: Expander): Promise<ResolvedLaunch> {
  const base = ownFolder(context)?.path ?? context.home;
  const toPath = (text: string): string => absolute(text, base, context.home);
  const cwd = launch.cwd === undefined ? base : toPath(expander(launch.cwd, '"cwd"'));
  const added = new Map<string, string | null>(
    launch.envFile === undefined ? [] : await readEnvFile(toPath(expander(launch.envFile, '"envFile"')), context),
  );
  for (const [name, text] of Object.entries(launch.env)) {
    added.set(name, text === null ? null : expander(text, `"env" ${name}`));
  }
  return {
    type: 'stdio',
    command: expander(launch.command, '"command"'),
    args: launch.args.map((text) => expander(text, '"args"')),
    env: mergeEnvironment(context.environment, added, context.platform),
    cwd,
  };
}

async function readEnvFile(path: string, context: ResolveContext): Promise<ReadonlyMap<string, string>> {
  const { key, source } = context.definition;
  const fail = (cause?: unknown): never => {
    const message = `Server "${key}" in ${source.label} names the env file ${path}, which cannot be read. Create it or remove "envFile".`;
    throw new PorticoError('CONFIG_INVALID', message, { server: key, cause });
  };
  const text = await context.files.read(path, true).catch((error: unknown) => fail(error));
  return text === undefined ? fail() : parseEnvFile(text);
}

/** Additions and removals on the inherited environment; on Windows a name's case does not count. */
export function mergeEnvironment(
  inherited: Readonly<Record<string, string | undefined>>,
  changes: ReadonlyMap<string, string | null>,
  platform: NodeJS.Platform,
): Readonly<Record<string, string>> {
  const fold = (name: string): string => (platform === 'win32' ? name.toUpperCase() : name);
  const merged = new Map<string, readonly [string, string]>();
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined) {
      merged.set(fold(name), [name, value]);
    }
  }
  for (const [name, value] of changes) {
    if (value === null) {
      merged.delete(fold(name));
    } else {
      merged.set(fold(name), [merged.get(fold(name))?.[0] ?? name, value]);
    }
  }
  return record(merged.values());
}

function absolute(path: string, base: string, home: string): string {
  const expanded = /^~(?=$|[\\/])/.test(path) ? join(home, path.slice(1)) : path;
  return isAbsolute(expanded) ? expanded : resolve(base, expanded);
}
