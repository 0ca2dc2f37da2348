import type { Launch } from '../config/configTypes';

/** Programs that fetch what they run where it is not there yet; some do so with a subcommand alone. */
const runners = /^(npx|uvx|bunx|pipx|pnpx|dnx|docker|podman|nerdctl)$/;
const subcommands: ReadonlyMap<string, RegExp> = new Map([
  ['npm', /^(exec|x)$/],
  ['pnpm', /^(dlx|exec)$/],
  ['yarn', /^dlx$/],
  ['bun', /^x$/],
  ['uv', /^(run|tool)$/],
  ['deno', /^run$/],
]);

/** Whether the first start of this may have to fetch a package or an image before anything runs. */
export function mayInstall(launch: Launch): boolean {
  if (launch.type !== 'stdio') {
    return false;
  }
  const name = (launch.command.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(exe|cmd|bat|ps1)$/, '');
  const [first = ''] = launch.args;
  return runners.test(name) || (subcommands.get(name)?.test(first) ?? false);
}
