import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type DiscoverResult,
  type Implementation,
  isSpecType,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock';
import type { StdioTransport } from './stdioTransport';

export const STATELESS_VERSION = '2026-07-28';
const PROBE_ID = 'portico-discover';
const UNSUPPORTED_PROTOCOL_VERSION = -32022;

/** What `server/discover` brought out. `gone`: the process ended on it. `unknown`: it speaks only what nobody here knows. */
export type ProbeVerdict =
  | { readonly kind: 'stateless'; readonly discover: DiscoverResult }
  | { readonly kind: 'session' }
  | { readonly kind: 'unknown'; readonly versions: readonly string[] }
  | { readonly kind: 'gone' };

export interface Probe {
  readonly verdict: Promise<ProbeVerdict>;
  /** True once the server has answered as stateless, be it after the wait was over. */
  readonly answeredStateless: boolean;
  /** What came before the handshake and was not a ping; to be delivered after it. */
  readonly early: readonly JSONRPCMessage[];
}

function versionsIn(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'string')
    ? value
    : undefined;
}

function byVersions(versions: readonly string[] | undefined): ProbeVerdict {
  const known =
    !versions || versions.some((one) => one === STATELESS_VERSION || SUPPORTED_PROTOCOL_VERSIONS.includes(one));
  return known ? { kind: 'session' } : { kind: 'unknown', versions };
}

/** Reads the answer to the probe; whatever is not clearly the stateless era is taken for a session server. */
export function classifyDiscover(message: JSONRPCMessage): ProbeVerdict {
  if ('error' in message) {
    const { code, data } = message.error;
    const supported = typeof data === 'object' && data !== null && 'supported' in data ? data.supported : undefined;
    return code === UNSUPPORTED_PROTOCOL_VERSION ? byVersions(versionsIn(supported)) : { kind: 'session' };
  }
  const result = 'result' in message ? message.result : undefined;
  if (!isSpecType.DiscoverResult(result)) {
    return { kind: 'session' };
  }
  return result.supportedVersions.includes(STATELESS_VERSION)
    ? { kind: 'stateless', discover: result }
    : byVersions(result.supportedVersions);
}

/**
 * Asks for the era on the process that will be used (the SDK would start a second one). Servers that stay silent get
 * `initialize` after `waitMs`. Pings are answered meanwhile; nothing else is sent (spec: lifecycle, initialization).
 */
export function probeEra(
  transport: StdioTransport,
  client: { readonly info: Implementation; readonly capabilities: ClientCapabilities },
  waitMs: number,
  clock: Clock,
): Probe {
  const early: JSONRPCMessage[] = [];
  const probe = { early, answeredStateless: false, verdict: Promise.resolve<ProbeVerdict>({ kind: 'gone' }) };
  let open = true;
  probe.verdict = new Promise<ProbeVerdict>((resolve) => {
    const settle = (verdict: ProbeVerdict): void => {
      open = false;
      timer.dispose();
      resolve(verdict);
    };
    const timer = clock.after(waitMs, () => settle({ kind: 'session' }));
    // The SDK calls these before its own handlers when it takes the transport over.
    transport.onmessage = (message) => {
      if ('id' in message && message.id === PROBE_ID && !('method' in message)) {
        const verdict = classifyDiscover(message);
        probe.answeredStateless ||= verdict.kind === 'stateless';
        if (open) {
          settle(verdict);
        }
      } else if (open && 'method' in message) {
        if (message.method === 'ping' && 'id' in message) {
          transport.send({ jsonrpc: '2.0', id: message.id, result: {} }).catch(() => settle({ kind: 'gone' }));
        } else {
          early.push(message);
        }
      }
    };
    transport.onclose = () => settle({ kind: 'gone' });
    transport
      .send({
        jsonrpc: '2.0',
        id: PROBE_ID,
        method: 'server/discover',
        params: {
          _meta: {
            [PROTOCOL_VERSION_META_KEY]: STATELESS_VERSION,
            [CLIENT_INFO_META_KEY]: client.info,
            [CLIENT_CAPABILITIES_META_KEY]: client.capabilities,
          },
        },
      })
      .catch(() => settle({ kind: 'gone' }));
  });
  return probe;
}
