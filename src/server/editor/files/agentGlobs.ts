import { compileGlobs } from './globs';

/**
 * Globs as agents write them: without a slash for names at any depth, with one for paths from the folder on; what names a
 * directory stands for all in it.
 */
export function compileAgentGlobs(globs: readonly string[]): (path: string) => boolean {
  const whole = globs
    .map((glob) => glob.replaceAll('\\', '/').replace(/^\.?\//, ''))
    .map((glob) => (glob.replace(/\/$/, '').includes('/') ? glob : `**/${glob}`))
    .map((glob) => glob.replace(/\/$/, ''));
  return compileGlobs(whole.flatMap((glob) => [glob, `${glob}/**`]));
}
