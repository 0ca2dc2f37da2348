import { createHash } from 'node:crypto';
import type { Prompt } from '@modelcontextprotocol/server';
import type { ServerView } from '../../../core/hubTypes';
import type { SharedServers } from './aggregateTypes';

export interface NamedPrompt {
  /** `<server>_<prompt>`, with a hash where two of them would be one. */
  readonly name: string;
  readonly view: ServerView;
  readonly prompt: Prompt;
}

/** The prompts of all servers by names that are distinct and the same in whatever order the lists come. */
export function namedPrompts(servers: SharedServers): readonly NamedPrompt[] {
  const all = servers.all().flatMap((view) =>
    view.lists.peek().prompts.items.map((prompt) => ({
      name: `${servers.nameOf(view)}_${prompt.name}`,
      hash: hashOf(servers.nameOf(view), prompt.name),
      view,
      prompt,
    })),
  );
  const counts = new Map<string, number>();
  for (const { name } of all) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return all.map(({ name, hash, ...rest }) => ({ name: counts.get(name) === 1 ? name : `${name}_${hash}`, ...rest }));
}

function hashOf(server: string, prompt: string): string {
  return createHash('sha256')
    .update(JSON.stringify([server, prompt]))
    .digest('hex')
    .slice(0, 6);
}
