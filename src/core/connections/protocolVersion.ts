import { isInitializeRequest, SUPPORTED_PROTOCOL_VERSIONS, type Transport } from '@modelcontextprotocol/client';
import { PorticoError } from '../../base/errors';

/** Watches the answer to `initialize`: the SDK reports a version it does not know by words alone. */
export function watchVersion(transport: Transport): { readonly refused: string | undefined } {
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
      if (typeof protocolVersion === 'string' && !SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)) {
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
