import { PorticoError } from '../../base/errors';

/** As file systems have it: a whole path in characters, a name in it in bytes. */
export const longestPath = 4_096;
export const longestName = 255;

/** What agents may send, in characters: what is longer is refused before anybody looks for it. */
export const longest = {
  /** A path, or the URI of one, in which every byte may be encoded. */
  address: 3 * longestPath + 100,
  /** A name, handle, kind, or time. */
  word: 1_000,
  query: 2_000,
  glob: 500,
  /** It may have an address in it, encoded. */
  cursor: 20_000,
  /** The text of a file, or a part of one. */
  text: 2_000_000,
} as const;

/** Throws ARGUMENTS_INVALID for what is too long; `what` names it as the agent does. */
export function assertLength(what: string, value: string, most: number): void {
  if (value.length > most) {
    throw new PorticoError(
      'ARGUMENTS_INVALID',
      `${what}: it has ${value.length} characters; at most ${most} are taken.`,
    );
  }
}
