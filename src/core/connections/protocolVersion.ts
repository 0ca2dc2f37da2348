import { isInitializeRequest, SUPPORTED_PROTOCOL_VERSIONS, type Transport } from '@modelcontextprotocol/client';
import { PorticoError } from '../../base/errors';
import { STATELESS_VERSION } from './eraProbe';
import { plainText } from '../../base/plainText';
import { readInitialize } from './readInitialize';

/** Of what a server says that it speaks; it may be anything. */
const SHOWN_VERSIONS = 5;
const LONGEST_VERSION = 40;

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

/** `versions` is what the server says that it speaks. */
export function versionError(server: string, versions: readonly string[]): PorticoError {
  return new PorticoError('PROTOCOL_VERSION', `"${server}" ${sentenceOn(versions)}`, { server });
}

function sentenceOn(versions: readonly string[]): string {
  const named = versions.filter((version) => version.trim() !== '');
  if (named.length === 0) {
    return 'does not say which version of MCP it speaks. Only its author can correct it.';
  }
  if (named.length === 1 && named[0] === STATELESS_VERSION) {
    return `answered initialize with MCP ${STATELESS_VERSION}, which has no such handshake. Update the server, or have it answer server/discover.`;
  }
  const shown = named.slice(0, SHOWN_VERSIONS).map(shownVersion).join(', ');
  const more = named.length > SHOWN_VERSIONS ? ` and ${named.length - SHOWN_VERSIONS} more` : '';
  return `speaks MCP ${shown}${more}, which Portico does not know. Update the server or Portico.`;
}

function shownVersion(version: string): string {
  const start = version.slice(0, LONGEST_VERSION);
  return `${plainText(start).trim()}${start === version ? '' : '…'}`;
}
