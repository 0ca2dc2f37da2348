import type { ListCache } from '../../src/core/connections/connectionTypes';

/** Lists are not kept: each hub here lives for one start. */
export const noCache: ListCache = { read: async () => undefined, write: async () => undefined };
