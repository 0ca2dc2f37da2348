import type { StandardSchemaV1 } from '@modelcontextprotocol/client';

type Read<T> = (value: unknown) => StandardSchemaV1.Result<T> | Promise<StandardSchemaV1.Result<T>>;

/** A tolerant reader in place of the SDK's strict schema; it may load itself with the first value. */
export function reader<T>(read: Read<T>): StandardSchemaV1<unknown, T> {
  return { '~standard': { version: 1, vendor: 'portico', validate: read } };
}
