import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { signal } from '@preact/signals-core';
import { type Disposable, DisposableStore } from '../../../../src/base/disposable';
import { NullLogger } from '../../../../src/base/log';
import { createEditorOffers } from '../../../../src/server/editor/editorOffers';
import { EditorServer } from '../../../../src/server/editor/editorServer';
import { PathGate } from '../../../../src/server/editor/files/pathGate';
import type { ClientScope } from '../../../../src/server/editor/offerTypes';
import { wholeScope } from '../../../../src/server/editor/offerCatalog';
import { type FileSearch, GatedWorkspaceFiles } from '../../../../src/server/editor/workspaceFiles';
import type { AgentClient } from '../../../../src/server/serverTypes';
import { FakeClock } from '../../core/connections/fakeClock';
import { FakeEditor } from './fakeEditor';

export const agent: AgentClient = { id: 'agent', label: 'Agent' };

/** The editor server over a fake editor and a clock of its own, with SDK clients in the same process. */
export class EditorHarness implements Disposable {
  readonly clock = new FakeClock();
  readonly scope = signal<ClientScope>(wholeScope);
  readonly files: GatedWorkspaceFiles;
  readonly server: EditorServer;
  readonly search: FileSearch & { paths: string[] };
  private readonly store = new DisposableStore();

  constructor(readonly editor = new FakeEditor()) {
    this.store.add(editor);
    this.search = fakeSearch();
    const gate = new PathGate({ folders: editor.folders, settings: editor.settings });
    this.files = new GatedWorkspaceFiles(editor, gate, this.search);
    const offers = this.store.add(createEditorOffers(editor, this.files, this.clock));
    this.server = this.store.add(
      new EditorServer({
        ports: editor,
        offers: offers.sets,
        version: '1.2.3',
        scopeOf: () => this.scope.value,
        log: new NullLogger(),
        clock: this.clock,
      }),
    );
  }

  async client(who = agent): Promise<Client> {
    const client = new Client({ name: 'test-program', version: '1' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await this.server.createServer(who).connect(far);
    await client.connect(near);
    // From here on the client checks every result against the schema of its tool.
    await client.listTools();
    this.store.defer(() => void client.close());
    return client;
  }

  /** Calls a tool while time passes, until it has answered. */
  async call(client: Client, name: string, args: Record<string, unknown> = {}) {
    return this.passing(client.callTool({ name, arguments: args }));
  }

  /** Lets time pass in small steps until the promise is settled; it stands still while a file is read. */
  async passing<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const done = promise.finally(() => (settled = true));
    done.catch(() => undefined);
    while (!settled) {
      do {
        await new Promise((resolve) => setTimeout(resolve, 1));
      } while (isReading());
      await this.clock.pass(50);
    }
    return done;
  }

  dispose(): void {
    this.store.dispose();
  }
}

function isReading(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
}

function fakeSearch(): FileSearch & { paths: string[] } {
  const paths: string[] = [];
  return {
    paths,
    list: async (below, limit) => {
      const all = paths.filter((path) => below === undefined || path.startsWith(below));
      return { paths: all.slice(0, limit), total: all.length };
    },
    complete: async (value) => {
      const values = paths.filter((path) => path.includes(value));
      return { values, total: values.length, hasMore: false };
    },
  };
}

export function textOf(result: { readonly content?: unknown }): string {
  const [first] = result.content as readonly { readonly text?: string }[];
  return first?.text ?? '';
}
