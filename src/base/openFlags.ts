import { constants } from 'node:fs';

/** For reading: a pipe keeps nobody waiting for its other end. Windows has neither of these flags, and no such files. */
export const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The same, and a link at the end of the path is not followed. */
export const readNoLinkFlags = readFlags | (constants.O_NOFOLLOW ?? 0);
