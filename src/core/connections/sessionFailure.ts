import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { PorticoError } from '../../base/errors';
import { isObject } from '../../base/jsonObject';
import { capabilitiesOf } from './hostCapabilities';
import { notOffered } from './notOffered';
import { shortText } from '../../base/plainText';
import type { SessionContext } from './sessionTypes';

/** A server's own failure stays as it is, unless it failed for want of the models that this host does not offer. */
export function wireFailure(error: unknown, context: SessionContext): unknown {
  return error instanceof ProtocolError && lacksModels(error, context)
    ? notOffered(context.server.key, 'sampling/createMessage')
    : error;
}

function lacksModels({ code, data }: ProtocolError, context: SessionContext): boolean {
  const { requiredCapabilities } = isObject(data) ? data : {};
  return (
    code === ProtocolErrorCode.MissingRequiredClientCapability &&
    isObject(requiredCapabilities) &&
    requiredCapabilities['sampling'] !== undefined &&
    capabilitiesOf(context).sampling === undefined
  );
}

interface FailedRequest {
  readonly method: string;
  /** How long it had, in milliseconds, unless the error says so. */
  readonly ms: number;
  /** What may explain that no answer came. */
  readonly hint: string | undefined;
}

/** The SDK's failures of a request as sentences; nothing for all else. */
export function sdkFailure(
  error: unknown,
  server: string,
  { method, ms, hint }: FailedRequest,
): PorticoError | undefined {
  if (!(error instanceof SdkError)) {
    return undefined;
  }
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return new PorticoError(
        'TIMEOUT',
        `"${server}" did not answer ${method} within ${(totalMs(error) ?? ms) / 1_000} s; it was told to stop.${hint === undefined ? '' : ` ${hint}`}`,
        { server, cause: error },
      );
    case SdkErrorCode.CapabilityNotSupported:
    case SdkErrorCode.MethodNotSupportedByProtocolVersion:
      return new PorticoError(
        'NOT_SUPPORTED',
        `"${server}" wanted what Portico does not offer it: ${shortText(error.message)}`,
        {
          server,
          cause: error,
        },
      );
    default:
      return undefined;
  }
}

/** How long a request had, with what its progress added. */
function totalMs({ data }: SdkError): number | undefined {
  return isObject(data) && typeof data['timeout'] === 'number' ? data['timeout'] : undefined;
}
