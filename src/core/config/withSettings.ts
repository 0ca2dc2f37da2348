import type { AuthSettings, Launch, VariableSource } from './configTypes';

const setting = /\$\{config:([^}]*)\}/g;

/** The same settings with each of their texts changed; `where` says which it is, as in `"auth" clientId`. */
export function mapAuth(auth: AuthSettings, change: (text: string, where: string) => string): AuthSettings {
  const changed = (value: unknown, where: string): unknown => {
    if (typeof value === 'string') {
      return change(value, where);
    }
    if (Array.isArray(value)) {
      return value.map((item) => changed(item, where));
    }
    return Object.fromEntries(
      Object.entries(value as object).map(([key, item]) => [key, changed(item, `${where} ${key}`)]),
    );
  };
  return changed(auth, '"auth"') as AuthSettings;
}

/**
 * A launch with its `${config:x}` values put in, where they have one. A setting may come from the workspace, so what
 * it says is part of what the person sees and agrees to, and another value asks again.
 */
export function withSettings(launch: Launch, config: VariableSource['config']): Launch {
  const put = (text: string): string =>
    text.replace(setting, (whole: string, name: string) => configText(config(name)) ?? whole);
  const putAll = <T extends string | null>(values: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value === null ? value : (put(value) as T)]));
  if (launch.type !== 'stdio') {
    const auth = launch.auth && mapAuth(launch.auth, put);
    return { ...launch, url: put(launch.url), headers: putAll(launch.headers), ...(auth ? { auth } : {}) };
  }
  const { cwd, envFile } = launch;
  return {
    ...launch,
    command: put(launch.command),
    args: launch.args.map(put),
    env: putAll(launch.env),
    ...(cwd === undefined ? {} : { cwd: put(cwd) }),
    ...(envFile === undefined ? {} : { envFile: put(envFile) }),
  };
}

/** What a setting's value is as text; nothing where it is none. */
export function configText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}
