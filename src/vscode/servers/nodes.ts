import type { ConfigProblem } from '../../core/config/configTypes';
import type { ServerTask } from '../../core/connections/taskTypes';
import type { Hub, ServerView } from '../../core/hubTypes';

/** A row of the Servers view. `server` is the server's id, so that every row below a server is an argument for commands. */
export type Node =
  | { readonly kind: 'server'; readonly id: string; readonly server: string; readonly view: ServerView }
  | { readonly kind: 'problem'; readonly id: string; readonly problem: ConfigProblem }
  | { readonly kind: 'restricted'; readonly id: string }
  /** What a server without offers says instead. */
  | { readonly kind: 'hint'; readonly id: string; readonly server: string; readonly view: ServerView }
  | {
      readonly kind: 'group';
      readonly id: string;
      readonly server: string;
      readonly list: OfferedList;
      readonly view: ServerView;
    }
  | {
      readonly kind: 'tool';
      readonly id: string;
      readonly server: string;
      readonly tool: string;
      readonly view: ServerView;
    }
  | {
      readonly kind: 'prompt';
      readonly id: string;
      readonly server: string;
      readonly prompt: string;
      readonly view: ServerView;
    }
  /** What goes on at the server, and what of it has ended; there where there is any. */
  | { readonly kind: 'tasks'; readonly id: string; readonly server: string; readonly view: ServerView }
  | {
      readonly kind: 'task';
      readonly id: string;
      readonly server: string;
      readonly task: string;
      readonly view: ServerView;
    }
  /** An entry of a list that cannot be used. */
  | {
      readonly kind: 'setAside';
      readonly id: string;
      readonly server: string;
      readonly list: OfferedList;
      readonly index: number;
      readonly view: ServerView;
    };

export type OfferedList = 'tools' | 'prompts';

/** Ids are stable over refreshes and reloads: selection, focus and expansion hang on them. */
export const nodeIds = {
  server: (server: string) => `server:${server}`,
  hint: (server: string) => `hint:${server}`,
  group: (server: string, list: OfferedList) => `${list}:${server}`,
  entry: (server: string, list: OfferedList, name: string) => `${list}:${server}:${name}`,
  setAside: (server: string, list: OfferedList, index: number) => `aside:${list}:${server}:${index}`,
  tasks: (server: string) => `tasks:${server}`,
  task: (server: string, id: string) => `tasks:${server}:${id}`,
  problem: ({ source, key, place, code }: ConfigProblem) =>
    `problem:${source.id}:${key ?? ''}:${code}:${place?.offset ?? ''}`,
  restricted: 'restricted',
};

/** Problems stand where their entries do: in the order of the file, after the servers of their source at the latest. */
export function inConfigOrder(
  servers: readonly ServerView[],
  problems: readonly ConfigProblem[],
): (ServerView | ConfigProblem)[] {
  const rows: (ServerView | ConfigProblem)[] = [...servers];
  for (const problem of problems) {
    const same = (row: ServerView | ConfigProblem): boolean => sourceOf(row).id === problem.source.id;
    const offset = problem.place?.offset;
    const before = rows.findIndex((row) => same(row) && offset !== undefined && (placeOf(row)?.offset ?? -1) > offset);
    const after = rows.findLastIndex(same);
    rows.splice(before >= 0 ? before : after >= 0 ? after + 1 : rows.length, 0, problem);
  }
  return rows;
}

export function isProblem(row: ServerView | ConfigProblem): row is ConfigProblem {
  return 'code' in row;
}

function sourceOf(row: ServerView | ConfigProblem) {
  return isProblem(row) ? row.source : row.definition.source;
}

function placeOf(row: ServerView | ConfigProblem) {
  return isProblem(row) ? row.place : row.definition.place;
}

/** The tasks that a server runs for somebody here. */
export function tasksOf(hub: Pick<Hub, 'tasks'>, server: string): readonly ServerTask[] {
  return hub.tasks.peek().filter((task) => task.server === server);
}
