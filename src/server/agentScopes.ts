import type { ClientScope, OfferSubject } from './editor/offerTypes';
import { wholeScope } from './editor/offerCatalog';

/** The words of `portico.agents.scopes`, by agent id. */
export type ScopeWords = Readonly<Record<string, readonly string[]>>;

const subjects: readonly OfferSubject[] = ['diagnostics', 'views', 'files', 'symbols', 'git', 'tasks'];

/** What the words let an agent have of the editor. An agent without any words has all. */
export function editorScope(scopes: ScopeWords, agent: string): ClientScope {
  const words = wordsOf(scopes, agent);
  if (words === undefined) {
    return wholeScope;
  }
  return {
    groups: new Set([
      'read',
      ...(words.includes('editTools') ? (['edit'] as const) : []),
      ...(words.includes('runTools') ? (['run'] as const) : []),
    ]),
    subjects: new Set(subjects.filter((subject) => words.includes(subject))),
  };
}

/** Whether they let it use a server, by its key. */
export function mayUseServer(scopes: ScopeWords, agent: string, key: string): boolean {
  const words = wordsOf(scopes, agent);
  return words === undefined || words.includes('servers') || words.includes(`server:${key}`);
}

function wordsOf(scopes: ScopeWords, agent: string): readonly string[] | undefined {
  return Object.hasOwn(scopes, agent) ? scopes[agent] : undefined;
}
