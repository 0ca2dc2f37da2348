import { effect, untracked } from '@preact/signals-core';
import { type Disposable, DisposableStore } from '../base/disposable';
import { type Problem, toProblem } from '../base/errors';
import type { ListKind } from '../core/connections/connectionTypes';
import type { Hub, ServerView } from '../core/hubTypes';
import { enabledServers, problemOf, reportIdle, stateWord } from './lists';
import type { Output } from './output';
import { toldHere } from './toldHere';
import { UpdateLines } from './updateLines';

const KINDS: readonly ListKind[] = ['tools', 'resources', 'templates', 'prompts'];
/** Of one server's resources, as many are subscribed to. */
const SUBSCRIBED = 1_000;

type Tell = (server: string, what: string, more: object) => void;

/** Starts all enabled servers and prints a line of JSON for each change until the signal aborts. Exit code 1 where none is enabled. */
export async function runWatch(hub: Hub, output: Output, until: AbortSignal): Promise<number> {
  if (until.aborted) {
    return 0;
  }
  const enabled = enabledServers(hub);
  if (enabled.length === 0) {
    reportIdle(hub, output);
    return 1;
  }
  const store = new DisposableStore();
  const tell: Tell = (server, what, more) => {
    if (!store.isDisposed) {
      output.json({ server, what, ...more });
    }
  };
  for (const { source, key, code, message } of hub.configProblems.peek()) {
    if (key === undefined) {
      output.problem(source.label, { code, message });
    } else {
      tell(key, 'state', stateLine('failed', { code, message }));
    }
  }
  const updates = store.add(new UpdateLines((server, uri) => tell(server, 'resource', { uri })));
  store.add(
    hub.onDidUpdateResource(({ server, uri }) => {
      if (isListed(hub.server(server), uri)) {
        updates.add(server, uri);
      }
    }),
  );
  for (const view of hub.servers.peek()) {
    store.defer(followState(view, tell));
    store.defer(followLists(view, hub, tell));
  }
  for (const view of enabled) {
    void start(view, hub, tell);
  }
  return new Promise((resolve) => {
    until.addEventListener('abort', () => {
      store.dispose();
      resolve(0);
    });
  });
}

/** A server may also tell of what lies below a resource (spec: server/resources, subscriptions). */
function isListed(view: ServerView | undefined, uri: string): boolean {
  return view?.lists.peek().resources.items.some((item) => uri === item.uri || uri.startsWith(`${item.uri}/`)) ?? false;
}

async function start({ id, status }: ServerView, hub: Hub, tell: Tell): Promise<void> {
  try {
    await hub.start(id, { interactive: false });
  } catch (error) {
    // What the state does not say, such as an input without a value.
    if (!problemOf(status.peek())) {
      tell(id, 'state', stateLine('failed', toProblem(error)));
    }
  }
}

function stateLine(state: string, problem: Problem | undefined): object {
  return { state, ...(problem ? { problem: toldHere(problem) } : {}) };
}

function followState({ id, status }: ServerView, tell: Tell): () => void {
  let told = JSON.stringify(stateLine('stopped', undefined));
  return effect(() => {
    const state = status.value;
    const line = stateLine(stateWord(state, undefined), problemOf(state));
    const text = JSON.stringify(line);
    // A start has several stages, and what is off stays off.
    if (text !== told && state.kind !== 'off') {
      told = text;
      tell(id, 'state', line);
    }
  });
}

function followLists(view: ServerView, hub: Hub, tell: Tell): () => void {
  const subscriptions = new Map<string, Disposable>();
  let known = view.lists.peek();
  return effect(() => {
    const lists = view.lists.value;
    const before = known;
    known = lists;
    untracked(() => {
      for (const kind of KINDS) {
        const list = lists[kind];
        const count = list.items.length;
        const isFirst = before[kind].from === 'none';
        if (list !== before[kind] && !(isFirst && count === 0 && !list.problem)) {
          tell(view.id, kind, { count, ...(list.problem ? { problem: list.problem } : {}) });
        }
      }
      if (lists.resources !== before.resources) {
        subscribe(
          lists.resources.items.slice(0, SUBSCRIBED).map(({ uri }) => uri),
          subscriptions,
          (uri) => hub.subscribe(view.id, uri),
        );
      }
    });
  });
}

function subscribe(
  uris: readonly string[],
  subscriptions: Map<string, Disposable>,
  want: (uri: string) => Disposable,
): void {
  const listed = new Set(uris);
  for (const [uri, subscription] of subscriptions) {
    if (!listed.has(uri)) {
      subscription.dispose();
      subscriptions.delete(uri);
    }
  }
  for (const uri of listed) {
    if (!subscriptions.has(uri)) {
      subscriptions.set(uri, want(uri));
    }
  }
}
