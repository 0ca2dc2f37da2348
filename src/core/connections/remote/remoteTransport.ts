import { checkHeaders, checkUrl } from './remoteHeaders';
import type { RemoteDependencies, RemoteTransport, ResolvedRemote } from './remoteTypes';
import { SseTransport } from './sseTransport';
import { StreamableTransport } from './streamableTransport';

/** Streamable HTTP. Throws CONFIG_INVALID where the URL or a header cannot be sent. */
export function openStreamable(launch: ResolvedRemote, dependencies: RemoteDependencies): RemoteTransport {
  checkHeaders(launch.headers, dependencies.server);
  return new StreamableTransport(checkUrl(launch.url, dependencies.server), launch.headers, dependencies);
}

/** The HTTP+SSE transport of 2024-11-05. Throws CONFIG_INVALID where the URL or a header cannot be sent. */
export function openSse(launch: ResolvedRemote, dependencies: RemoteDependencies): RemoteTransport {
  checkHeaders(launch.headers, dependencies.server);
  return new SseTransport(checkUrl(launch.url, dependencies.server), launch.headers, dependencies);
}
