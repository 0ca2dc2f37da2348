import { setImmediate } from 'node:timers/promises';
import { ProtocolError, type PriorDiscovery } from '@modelcontextprotocol/client';
import { PorticoError } from '../../base/errors';
import { Sequencer } from '../../base/sequencer';
import { ClientSession } from './clientSession';
import type { Era } from './connectionTypes';
import { withLogin } from './loginShell';
import { shortText } from '../../base/plainText';
import { type Probe, probeEra } from './eraProbe';
import { processControl } from './processTree';
import { ownFailure } from './readReply';
import { versionError, watchVersion } from './protocolVersion';
import { capabilitiesOf } from './hostCapabilities';
import type { SessionEnd } from './sessionEnd';
import type { Session, SessionContext } from './sessionTypes';
import { type StdioResolvedLaunch, StdioTransport } from './stdioTransport';

/** `env` (or a shell) ends with it when the interpreter named in a script's first line is not on the PATH. */
const EXIT_COMMAND_NOT_FOUND = 127;

/** A process that has just been started is given so long to answer its first request, however short requests may take otherwise. */
const LEAST_PROBE_MS = 2_000;

/** Nothing else goes on for the milliseconds in which a process is made: of several at once, each has a turn of its own. */
const processTurns = new Sequencer();

/** Thrown when the same server has to be started once more, in another way. */
class TryAgain extends Error {
  constructor(
    readonly era: Era | undefined,
    readonly launch: StdioResolvedLaunch,
  ) {
    super('The server has to be started once more.');
  }
}

/** Starts the process and shakes hands; at most once more for each thing that turns out different than assumed. */
export async function openStdioSession(launch: StdioResolvedLaunch, context: SessionContext): Promise<Session> {
  const { eras, server } = context;
  let era = eras.get(server.launchDigest);
  // An environment that no shell has been part of is that of a dock or launcher.
  let current = 'SHLVL' in launch.env ? launch : ((await withLoginShell(launch, context)) ?? launch);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openOnce(current, era, context);
    } catch (error) {
      if (!(error instanceof TryAgain) || attempt > 3) {
        throw error;
      }
      ({ era, launch: current } = error);
    }
  }
}

async function openOnce(launch: StdioResolvedLaunch, era: Era | undefined, context: SessionContext): Promise<Session> {
  const { server, tuning, clock, log, limits, eras, signal } = context;
  signal.throwIfAborted();
  context.onStage('launching');
  const trees = await context.trees?.();
  await processTurns.run(() => setImmediate());
  signal.throwIfAborted();
  const transport = new StdioTransport(launch, {
    server: server.key,
    messageBytes: limits.messageBytes,
    graces: tuning.graces,
    control: tuning.control ?? processControl(),
    clock,
    log,
    ...(trees ? { trees } : {}),
  });
  context.onOutput(transport);
  const abandon = (): void => {
    transport.close().catch((error: unknown) => log.error('The process could not be ended.', error));
  };
  signal.addEventListener('abort', abandon, { once: true });
  let probe: Probe | undefined;
  try {
    await startProcess(transport, launch, context);
    log.info(`Started ${launch.command} (pid ${transport.pid ?? 'unknown'}).`);
    context.onStage('connecting');
    let prior: PriorDiscovery = { kind: 'legacy' };
    if (era !== 'session') {
      const share = limits.startMs * (era === 'stateless' ? 0.6 : 0.3);
      const waitMs = Math.min(share, Math.max(limits.requestMs, LEAST_PROBE_MS));
      const client = { info: context.clientInfo, capabilities: capabilitiesOf(context) };
      probe = probeEra(transport, client, waitMs, clock);
      const verdict = await probe.verdict;
      if (verdict.kind === 'gone') {
        throw signal.aborted ? signal.reason : new TryAgain('session', launch);
      }
      if (verdict.kind === 'unknown') {
        throw versionError(server.key, verdict.versions);
      }
      if (verdict.kind === 'stateless') {
        prior = { kind: 'modern', discover: verdict.discover };
      }
    }
    const session = new ClientSession(transport, stdioEnd(transport), context);
    const version = watchVersion(transport, server.key);
    try {
      await session.connect(prior);
    } catch (error) {
      if (version.refused !== undefined) {
        throw versionError(server.key, [version.refused]);
      }
      throw error;
    }
    eras.set(server.launchDigest, probe?.answeredStateless ? 'stateless' : session.info.era);
    for (const message of probe?.early ?? []) {
      transport.onmessage?.(message);
    }
    return session;
  } catch (error) {
    const reason = transport.failure;
    await transport.close();
    throw await explain(error, reason, { launch, era, transport, context });
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}

async function startProcess(
  transport: StdioTransport,
  launch: StdioResolvedLaunch,
  context: SessionContext,
): Promise<void> {
  try {
    await transport.start();
  } catch (error) {
    const again = PorticoError.is(error, 'COMMAND_NOT_FOUND') ? await completed(launch, context) : undefined;
    throw again ? new TryAgain(context.eras.get(context.server.launchDigest), again) : error;
  }
}

/** The launch to try where a command was not found, unless the entry says itself where to look. */
function completed(launch: StdioResolvedLaunch, context: SessionContext): Promise<StdioResolvedLaunch | undefined> {
  const written = context.server.launch;
  return written.type === 'stdio' && 'PATH' in written.env
    ? Promise.resolve(undefined)
    : withLoginShell(launch, context);
}

/** The launch with what the login shell knows beside; nothing where that changes nothing. */
async function withLoginShell(
  launch: StdioResolvedLaunch,
  context: SessionContext,
): Promise<StdioResolvedLaunch | undefined> {
  const written = context.server.launch;
  const login = await context.tuning.loginEnvironment();
  if (login === undefined || written.type !== 'stdio') {
    return undefined;
  }
  const env = withLogin(launch.env, login, written.env);
  const isSame = env['PATH'] === launch.env['PATH'] && Object.keys(env).length === Object.keys(launch.env).length;
  return isSame ? undefined : { ...launch, env };
}

interface Attempt {
  readonly launch: StdioResolvedLaunch;
  readonly era: Era | undefined;
  readonly transport: StdioTransport;
  readonly context: SessionContext;
}

/** The failure to report, or the sign to try again. `reason`: why the process had ended before it was told to. */
async function explain(error: unknown, reason: PorticoError | undefined, attempt: Attempt): Promise<unknown> {
  const { launch, era, transport, context } = attempt;
  const { server, signal, eras } = context;
  if (signal.aborted) {
    return signal.reason;
  }
  const own = ownFailure(error) ?? error;
  if (PorticoError.is(own) && own !== reason) {
    return own;
  }
  const exited = reason !== undefined || error instanceof TryAgain;
  if (exited && transport.exitCode === EXIT_COMMAND_NOT_FOUND) {
    const again = await completed(launch, context);
    if (again) {
      return new TryAgain(era, again);
    }
  }
  if (error instanceof TryAgain) {
    return error;
  }
  if (era !== undefined) {
    // What was remembered may be out of date: the server may have been upgraded since.
    eras.set(server.launchDigest, undefined);
    if (error instanceof ProtocolError && era === 'session') {
      return new TryAgain(undefined, launch);
    }
  }
  if (reason) {
    return reason;
  }
  const said = shortText(error instanceof Error ? error.message : String(error));
  return new PorticoError('CONNECT_FAILED', `"${server.key}" started but refused the handshake: ${said}`, {
    server: server.key,
    cause: error,
  });
}

function stdioEnd(transport: StdioTransport): SessionEnd {
  return {
    get pid() {
      return transport.pid;
    },
    reason: () => transport.endReason,
    translate: () => transport.endReason,
    isLost: () => false,
    isDown: (_error): _error is PorticoError => false,
    hint: () =>
      transport.strayReason ??
      (transport.lastStray === undefined ? undefined : `Its last output that was no message: ${transport.lastStray}`),
    close: () => transport.close(),
  };
}
