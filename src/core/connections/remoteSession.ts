import type { FetchLike, PriorDiscovery } from '@modelcontextprotocol/client';
import { PorticoError } from '../../base/errors';
import { ClientSession } from './clientSession';
import { versionError, watchVersion } from './protocolVersion';
import { boundAnswers } from './remote/openAnswers';
import { EndpointError, isSessionLost, shouldFallBackToSse, toRemoteError } from './remote/remoteErrors';
import { openSse, openStreamable } from './remote/remoteTransport';
import type { RemoteTransport, ResolvedRemote } from './remote/remoteTypes';
import type { SessionEnd } from './sessionEnd';
import type { Session, SessionContext } from './sessionTypes';
import { unreadError } from './stdioErrors';

const SESSION_ERA: PriorDiscovery = { kind: 'legacy' };

/** Streamable HTTP with the fallback that the spec describes (basic/transports, backwards compatibility), or SSE alone. */
export async function openRemoteSession(launch: ResolvedRemote, context: SessionContext): Promise<Session> {
  const { server, eras } = context;
  try {
    if (launch.type === 'sse') {
      return await openOnce(openSse, launch, SESSION_ERA, context);
    }
    const remembered = eras.get(server.launchDigest);
    if (remembered === 'session') {
      try {
        return await openOnce(openStreamable, launch, SESSION_ERA, context);
      } catch (error) {
        context.signal.throwIfAborted();
        if (PorticoError.is(error, 'UNAUTHORIZED')) {
          throw error;
        }
        // What was remembered may be out of date: the server may have been upgraded since.
        eras.set(server.launchDigest, undefined);
        context.log.debug(`The remembered era did not fit: ${String(error)}`);
      }
    }
    return await openFresh(launch, context);
  } catch (error) {
    throw context.signal.aborted ? context.signal.reason : toRemoteError(error, server.key);
  }
}

async function openFresh(launch: ResolvedRemote, context: SessionContext): Promise<Session> {
  try {
    const session = await openOnce(openStreamable, launch, undefined, context);
    context.eras.set(context.server.launchDigest, session.info.era);
    return session;
  } catch (first) {
    context.signal.throwIfAborted();
    if (!shouldFallBackToSse(first)) {
      throw first;
    }
    try {
      return await openOnce(openSse, launch, SESSION_ERA, context);
    } catch (error) {
      context.log.debug(`The legacy transport failed too: ${String(error)}`);
      if (error instanceof EndpointError) {
        throw error;
      }
      // The first failure is the one that tells about the endpoint as it was meant.
      throw first;
    }
  }
}

async function openOnce(
  open: typeof openStreamable,
  launch: ResolvedRemote,
  prior: PriorDiscovery | undefined,
  context: SessionContext,
): Promise<Session> {
  const { server, limits, clock, signal, log } = context;
  signal.throwIfAborted();
  context.onStage('connecting');
  const auth = await context.auth?.();
  const transport = open(launch, {
    server: server.key,
    messageBytes: limits.messageBytes,
    clock,
    ...(context.network ? { network: context.network } : {}),
    ...(auth ? { authorize: (next: FetchLike) => auth.wrap(server, launch, next) } : {}),
  });
  const session = new ClientSession(transport, remoteEnd(transport, context), context);
  transport.onunheard = () => void session.check();
  const version = watchVersion(transport, server.key);
  const abandon = (): void => {
    session.close(true).catch((error: unknown) => log.debug(`Closing failed: ${String(error)}`));
  };
  signal.addEventListener('abort', abandon, { once: true });
  try {
    await session.connect(prior);
    return session;
  } catch (error) {
    await session.close(true);
    throw version.refused === undefined ? error : versionError(server.key, [version.refused]);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}

/** A failure below HTTP (a system error caused it): the address does not answer. An HTTP status is no such failure. */
function isDown(error: unknown): error is PorticoError {
  if (!PorticoError.is(error, 'CONNECT_FAILED', 'CONNECTION_LOST')) {
    return false;
  }
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && /^E[A-Z_]+$/.test(cause.code);
}

function remoteEnd(transport: RemoteTransport, context: SessionContext): SessionEnd {
  const { key } = context.server;
  let stopped: PorticoError | undefined;
  boundAnswers(transport, () => {
    stopped ??= unreadError(key);
    transport.close().catch((error: unknown) => context.log.debug(`Closing failed: ${String(error)}`));
  });
  return {
    pid: undefined,
    reason: () => stopped,
    translate: (error) => toRemoteError(error, key),
    isLost: isSessionLost,
    isDown,
    hint: () => transport.hint?.(),
    close: async (lost) => {
      stopped ??= new PorticoError('CONNECTION_LOST', `"${key}" was stopped.`, { server: key, show: false });
      if (!lost) {
        await transport.terminate();
      }
      // The client has no transport before it knows the era.
      await transport.close();
    },
  };
}
