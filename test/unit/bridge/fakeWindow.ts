import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../src/base/clock';
import { DisposableStore } from '../../../src/base/disposable';
import { NullLogger } from '../../../src/base/log';
import { ClientTokens, newToken } from '../../../src/server/clientTokens';
import type { WindowRecord } from '../../../src/server/discovery/discoveryTypes';
import { PublishedRecord } from '../../../src/server/discovery/publishedRecord';
import { McpEndpoint } from '../../../src/server/endpoint/mcpEndpoint';
import { FakeOffers } from '../server/endpoint/endpointHarness';
import { someRecord } from '../server/discovery/someRecord';
import { createTestListener } from '../server/localListener';

/** A window that announces itself in Portico's home and serves the same offers at `/editor` and `/gateway`. */
export class FakeWindow {
  readonly offers = new FakeOffers();
  readonly endpoint: McpEndpoint;
  private readonly store = new DisposableStore();

  private constructor(name: string) {
    this.endpoint = this.store.add(new McpEndpoint(this.offers, { log: new NullLogger(), clock: systemClock }));
    this.offers.onCall = async (_client, args) => `${name} ${JSON.stringify(args)}`;
  }

  static async open(home: string, name: string, folder: string, more: Partial<WindowRecord> = {}): Promise<FakeWindow> {
    const window = new FakeWindow(name);
    const tokens = window.store.add(new ClientTokens());
    const token = newToken();
    tokens.add({ id: 'bridge', label: 'bridge' }, token);
    const { listener, dispose } = createTestListener({}, tokens);
    window.store.defer(dispose);
    listener.addRoute(window.endpoint.route('/editor'));
    listener.addRoute(window.endpoint.route('/gateway'));
    const address = await listener.start();
    const record = someRecord(more.id ?? randomUUID(), { address, token, ...more }, folder);
    const published = window.store.add(new PublishedRecord(home, record, new NullLogger()));
    await published.written;
    return window;
  }

  /** Ends as a window does that is closed. */
  close(): void {
    this.store.dispose();
  }
}
