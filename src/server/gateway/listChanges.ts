import { effect } from '@preact/signals-core';
import type { Disposable } from '../../base/disposable';
import type { Clock } from '../../base/clock';
import type { ServerLists } from '../../core/connections/connectionTypes';
import type { ServerView } from '../../core/hubTypes';
import type { ChangeNotices } from '../endpoint/endpointTypes';

export type ChangedList = 'tools' | 'prompts' | 'resources';

/** Changes within this time, in milliseconds, are told as one. */
const burstMs = 50;

/**
 * Tells which lists of a server have changed, once per burst and only where their content did: a server that starts
 * lists anew what was known already.
 */
export function watchLists(
  view: ServerView,
  isTrusted: () => boolean,
  clock: Clock,
  tell: (changed: ReadonlySet<ChangedList>) => void,
): Disposable {
  const print = (): Record<ChangedList, string> => contentOf(view.lists.peek(), isTrusted());
  let told: Record<ChangedList, string> | undefined;
  let timer: Disposable | undefined;
  const stop = effect(() => {
    // Read here, so that the effect runs again when they change.
    void view.lists.value;
    isTrusted();
    if (told === undefined) {
      told = print();
      return;
    }
    timer ??= clock.after(burstMs, () => {
      timer = undefined;
      const now = print();
      const before = told;
      told = now;
      const changed = (['tools', 'prompts', 'resources'] as const).filter((list) => now[list] !== before?.[list]);
      if (changed.length > 0) {
        tell(new Set(changed));
      }
    });
  });
  return {
    dispose() {
      stop();
      timer?.dispose();
    },
  };
}

export function tellChanges(notices: ChangeNotices, changed: ReadonlySet<ChangedList>): void {
  if (changed.has('tools')) {
    notices.toolsChanged();
  }
  if (changed.has('prompts')) {
    notices.promptsChanged();
  }
  if (changed.has('resources')) {
    notices.resourcesChanged();
  }
}

function contentOf(lists: ServerLists, trusted: boolean): Record<ChangedList, string> {
  return {
    tools: JSON.stringify([trusted, lists.tools.items]),
    prompts: JSON.stringify(lists.prompts.items),
    resources: JSON.stringify([lists.resources.items, lists.templates.items]),
  };
}
