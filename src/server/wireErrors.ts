import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { PorticoError, type PorticoErrorCode } from '../base/errors';

const wireCodes: Partial<Record<PorticoErrorCode, number>> = {
  TOOL_UNKNOWN: ProtocolErrorCode.InvalidParams,
  PROMPT_UNKNOWN: ProtocolErrorCode.InvalidParams,
  ARGUMENTS_INVALID: ProtocolErrorCode.InvalidParams,
  RESOURCE_UNKNOWN: ProtocolErrorCode.InvalidParams,
  NOT_SUPPORTED: ProtocolErrorCode.MethodNotFound,
};

/** True for what the server itself answered: it goes on to the caller as it came. */
export function isWireError(error: unknown): error is Error & { readonly code: number } {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}

/** The JSON-RPC error for a failed request. `data.code` carries Portico's own code. */
export function toWireError(error: unknown, key: string): Error {
  if (isWireError(error)) {
    return error;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (PorticoError.is(error)) {
    return new ProtocolError(wireCodes[error.code] ?? ProtocolErrorCode.InternalError, message, { code: error.code });
  }
  return new ProtocolError(ProtocolErrorCode.InternalError, `${key}: ${message}`);
}

/** The same for a request about a resource; one that there is not has its URI in `data`, as 2026-07-28 wants it. */
export function toResourceError(error: unknown, key: string, uri: string): Error {
  return PorticoError.is(error, 'RESOURCE_UNKNOWN')
    ? new ResourceNotFoundError(uri, error.message)
    : toWireError(error, key);
}
