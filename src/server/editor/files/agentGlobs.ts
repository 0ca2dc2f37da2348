import { PorticoError } from '../../../base/errors';
import { quoted } from '../../../base/quoted';
import { compileGlobs, isGlob } from './globs';

/**
 * Globs as agents write them: without a slash for names at any depth, with one for paths from the folder on; what names a
 * directory stands for all in it.
 */
export function compileAgentGlobs(globs: readonly string[]): (path: string) => boolean {
  const whole = globs
    .map(bare)
    .map((glob) => (glob.replace(/\/$/, '').includes('/') ? glob : `**/${glob}`))
    .map((glob) => glob.replace(/\/$/, ''));
  return compileGlobs(whole.flatMap((glob) => [glob, `${glob}/**`]));
}

/** Throws ARGUMENTS_INVALID for what is no glob, or names nothing. `what` is the argument. */
export function assertGlobs(what: string, globs: readonly string[]): void {
  const wrong = globs.find((glob) => /^\/*$/.test(bare(glob)) || !isGlob(bare(glob)));
  if (wrong !== undefined) {
    throw new PorticoError(
      'ARGUMENTS_INVALID',
      `${what}: ${quoted(wrong)} is no glob. Give one such as "*.ts" or "src/**".`,
    );
  }
}

/**
 * The same for a glob that is matched where others wait for it: with so few wildcards that no path takes long. Threads that
 * can be ended take any.
 */
export function assertQuickGlob(what: string, glob: string): void {
  assertGlobs(what, [glob]);
  const stars = bare(glob)
    .split('/')
    .map((name) => name.split('*').length - 1);
  const wild = bare(glob).split('**').length - 1;
  if (wild > 3 || stars.some((count) => count > 3)) {
    throw new PorticoError(
      'ARGUMENTS_INVALID',
      `${what}: ${quoted(glob)} has too many wildcards. At most three in a name, and three of "**", are taken.`,
    );
  }
}

function bare(glob: string): string {
  return glob.replaceAll('\\', '/').replace(/^\.?\//, '');
}
