import type { ServerDefinition } from '../../core/config/configTypes';

/** An entry as a file would have it, made anew from what was understood; what is empty is left out. */
export function entryOf({ launch, disabled }: ServerDefinition): Record<string, unknown> {
  const off = disabled ? { disabled } : {};
  if (launch.type !== 'stdio') {
    return {
      type: launch.type,
      url: launch.url,
      ...(hasKeys(launch.headers) ? { headers: launch.headers } : {}),
      ...off,
    };
  }
  const { command, args, env, envFile, cwd } = launch;
  return {
    command,
    ...(args.length > 0 ? { args } : {}),
    ...(hasKeys(env) ? { env } : {}),
    ...(envFile === undefined ? {} : { envFile }),
    ...(cwd === undefined ? {} : { cwd }),
    ...off,
  };
}

function hasKeys(value: object): boolean {
  return Object.keys(value).length > 0;
}
