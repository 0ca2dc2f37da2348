import { isInitializeRequest, SUPPORTED_PROTOCOL_VERSIONS, type Transport } from '@modelcontextprotocol/client';
import { PorticoError } from '../../base/errors';
import { readInitialize } from './readInitialize';

/** Reads the answer to `initialize` before the SDK does, which would refuse it for one mistyped member; it reports a version it does not know by words alone. */
export function watchVersion(transport: Transport, server: string): { readonly refused: string | undefined } {
  const watch: { refused: string | undefined } = { refused: undefined };
  let initializeId: unknown;
  const send = transport.send.bind(transport);
  const before = transport.onmessage;
  transport.send = (message, options) => {
    if (isInitializeRequest(message) && 'id' in message) {
      initializeId = message.id;
      transport.send = send;
    }
    return send(message, options);
  };
  transport.onmessage = (message, extra) => {
    before?.(message, extra);
    if (initializeId !== undefined && 'result' in message && message.id === initializeId) {
      initializeId = undefined;
      const { protocolVersion } = message.result;
      message.result = { ...readInitialize(message.result, server) };
      if (typeof protocolVersion !== 'string') {
        watch.refused = JSON.stringify(protocolVersion) ?? 'without a version';
      } else if (!SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)) {
        watch.refused = protocolVersion;
      }
    }
  };
  return watch;
}

export function versionError(server: string, versions: string): PorticoError {
  return new PorticoError(
    'PROTOCOL_VERSION',
    `"${server}" speaks MCP ${versions}, which Portico does not know. Update the server or Portico.`,
    { server },
  );
}
