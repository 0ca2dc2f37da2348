import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { PorticoError, type PorticoErrorCode } from '../../base/errors';

const wireCodes: Partial<Record<PorticoErrorCode, number>> = {
  TOOL_UNKNOWN: ProtocolErrorCode.InvalidParams,
  PROMPT_UNKNOWN: ProtocolErrorCode.InvalidParams,
  ARGUMENTS_INVALID: ProtocolErrorCode.InvalidParams,
  RESOURCE_UNKNOWN: ProtocolErrorCode.ResourceNotFound,
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
