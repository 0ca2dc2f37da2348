import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';

/** The protocol revisions that an endpoint speaks, newest first. */
export const spokenVersions: readonly string[] = [...new Set(['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS])];
