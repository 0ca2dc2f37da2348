import { createHash } from 'node:crypto';
import type { ServerLists } from '../../core/connections/connectionTypes';
import type { ServerView } from '../../core/hubTypes';

/**
 * The version of each definition. The editor keeps what a server offered under it, and connects again when it changes;
 * so it follows the lists, but not while the editor has a session, which hears of changes and would be cut off.
 */
export class DefinitionVersions {
  private readonly known = new Map<string, { readonly launch: string; readonly version: string }>();
  private readonly prints = new WeakMap<ServerLists, string>();

  constructor(private readonly hasSession: (id: string) => boolean) {}

  of({ id, definition, lists }: ServerView, trusted: boolean): string {
    const launch = digest([definition.launchDigest, trusted]);
    const known = this.known.get(id);
    if (known?.launch === launch && this.hasSession(id)) {
      return known.version;
    }
    const version = digest([launch, this.printOf(lists.value)]);
    this.known.set(id, { launch, version });
    return version;
  }

  private printOf(lists: ServerLists): string {
    let print = this.prints.get(lists);
    if (print === undefined) {
      print = digest([lists.tools, lists.prompts, lists.resources, lists.templates].map(({ items }) => items));
      this.prints.set(lists, print);
    }
    return print;
  }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}
