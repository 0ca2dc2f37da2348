import type { ResolvedLaunch } from '../config/configTypes';
import { loadSdk } from './loadSdk';
import type { Session, SessionContext } from './sessionTypes';

/** Opens a session with a process or with a remote endpoint; each side is loaded when it is first used. */
export async function openSession(launch: ResolvedLaunch, context: SessionContext): Promise<Session> {
  await loadSdk();
  if (launch.type === 'stdio') {
    const { openStdioSession } = await import('./stdioSession');
    return openStdioSession(launch, context);
  }
  const { openRemoteSession } = await import('./remoteSession');
  return openRemoteSession(launch, context);
}
