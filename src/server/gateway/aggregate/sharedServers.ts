import type { ServerView } from '../../../core/hubTypes';
import type { AgentClient } from '../../serverTypes';
import type { FirstSight } from '../firstSight';
import type { AggregatePorts, SharedServers } from './aggregateTypes';

export function sharedServers(ports: AggregatePorts, client: AgentClient, firstSight: FirstSight): SharedServers {
  const all = (): readonly ServerView[] =>
    ports.hub.servers.peek().filter((view) => ports.isShared(view) && ports.mayUse(client, view));
  // Over all servers, whoever asks: a name means the same server to every agent.
  const nameOf = ({ id, definition: { key } }: ServerView): string =>
    ports.hub.servers.peek().some((other) => other.id !== id && other.definition.key === key) ? id : key;
  const listed = async (): Promise<readonly ServerView[]> => {
    ports.hub.freshen();
    // A process of our own beside the editor's needs more reason than a list.
    const own = all().filter(({ definition }) => definition.owner === 'portico');
    await Promise.all(own.map((view) => firstSight.of(view)));
    return all();
  };
  return { all, listed, nameOf, byName: (name) => all().find((view) => nameOf(view) === name) };
}
