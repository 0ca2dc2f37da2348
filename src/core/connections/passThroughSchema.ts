import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import { withinDepth } from './withinDepth';

/** Takes any value as it came, up to a bounded depth: what servers send is read by the tolerant readers, never refused as a whole by the SDK. */
export const passThroughSchema: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'portico', validate: (value) => ({ value: withinDepth(value) }) },
};
