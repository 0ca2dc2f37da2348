import { isInitializeRequest, SUPPORTED_PROTOCOL_VERSIONS, type Transport } from '@modelcontextprotocol/client';
import { PorticoError } from '../../base/errors';
import { STATELESS_VERSION } from './eraProbe';
import { plainText } from './plainText';
import { readInitialize } from './readInitialize';

const LONGEST_QUOTE = 200;

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
      if (typeof protocolVersion !== 'string' || protocolVersion.trim() === '') {
        watch.refused = '';
      } else if (!SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)) {
        watch.refused = protocolVersion;
      }
    }
  };
  return watch;
}

/** `versions` is what the server says that it speaks; empty where it names none. */
export function versionError(server: string, versions: string): PorticoError {
  return new PorticoError('PROTOCOL_VERSION', `"${server}" ${sentenceOn(versions)}`, { server });
}

function sentenceOn(versions: string): string {
  if (versions === '') {
    return 'does not say which version of MCP it speaks. Only its author can correct it.';
  }
  if (versions === STATELESS_VERSION) {
    return `answered initialize with MCP ${versions}, which has no such handshake. Update the server, or have it answer server/discover.`;
  }
  const shown = versions.length > LONGEST_QUOTE ? `${versions.slice(0, LONGEST_QUOTE)}…` : versions;
  return `speaks MCP ${plainText(shown)}, which Portico does not know. Update the server or Portico.`;
}
