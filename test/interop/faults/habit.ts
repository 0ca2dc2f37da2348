import { resolve } from 'node:path';
import type { Hub, ServerView } from '../../../src/core/hubTypes';

/** The server with the bad habit, in the hub that it shares with healthy ones. */
export interface Sick {
  readonly hub: Hub;
  readonly id: string;
  readonly view: ServerView;
}

/** A sick server that can be started: its entry in the configuration, and what ends what is no child of the hub. */
export interface Opened {
  readonly entry: object;
  close?(): Promise<void>;
}

export interface Habit {
  readonly name: string;
  open(): Opened | Promise<Opened>;
  /** Uses it as a person would, and tells what came of it; what it rejects with is what the person reads. */
  use(sick: Sick): Promise<string | void>;
  /** What the person must see: the server's row, what is wrong with its tools, then what the use told. */
  readonly sees: RegExp;
}

/** A program of `test/fixtures/servers`. */
export const fixture = (name: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [resolve(`test/fixtures/servers/${name}.mjs`), ...args],
});

export function start({ hub, id }: Sick): Promise<void> {
  return hub.start(id, { interactive: false });
}

/** Calls a tool by hand and tells the text of its result, a long one by its length. */
export function call(name: string, args: Readonly<Record<string, unknown>> = {}): Habit['use'] {
  return async ({ hub, id }) => {
    const caller = { kind: 'cli', label: 'faults' } as const;
    const { content } = await hub.callTool({ server: id, name }, args, { caller });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : JSON.stringify(content);
    return text.length > 60 ? `${text.length} characters` : text;
  };
}
