import assert from 'node:assert/strict';
import { eventually } from '../../core/connections/until';
import { initialize, rpc } from '../gatewayHarness';
import { ManualClock } from '../manualClock';
import { EndpointHarness } from './endpointHarness';

describe('endpoint: subscriptions', () => {
  let clock: ManualClock;
  let harness: EndpointHarness;

  beforeEach(async () => {
    clock = new ManualClock();
    harness = await EndpointHarness.open(clock);
  });

  afterEach(() => harness.dispose());

  /** A client of either era that listens to resources; `told` are the URIs it heard of. */
  async function listener(id: string, era: 'session' | 'stateless', uris: readonly string[]) {
    const told: string[] = [];
    const client = await harness.client(id, era, (it) =>
      it.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        told.push(params.uri);
      }),
    );
    if (era === 'session') {
      for (const uri of uris) {
        await client.subscribeResource({ uri });
      }
      return { told, leave: (): Promise<unknown> => client.unsubscribeResource({ uri: uris[0] ?? '' }) };
    }
    const subscription = await client.listen({ resourceSubscriptions: [...uris] });
    return { told, leave: () => subscription.close() };
  }

  for (const era of ['session', 'stateless'] as const) {
    it(`tell of a burst once, and of what is as it was never (${era})`, async () => {
      const { told } = await listener('one', era, ['test://a']);
      for (let text = 2; text < 50; text += 1) {
        harness.offers.change('test://a', String(text));
      }
      harness.offers.change('test://b', '2');
      clock.pass(99);
      assert.deepEqual(told, []);
      clock.pass(1);
      await eventually(() => told.length > 0);
      harness.offers.change('test://a', '49');
      harness.offers.change('test://a', '50');
      clock.pass(249);
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal(told.length, 1);
      await eventually(() => {
        clock.pass(250);
        return told.length > 1;
      });
      assert.deepEqual(told, ['test://a', 'test://a']);
    });

    it(`watch once for a client, however often it listens, until the last has left (${era})`, async () => {
      const first = await listener('one', era, ['test://a']);
      const second = await listener('one', era, ['test://a']);
      const other = await listener('two', era, ['test://a']);
      assert.deepEqual(
        harness.offers.watching.map(({ client }) => client),
        ['one', 'two'],
      );
      harness.offers.change('test://a', '2');
      clock.pass(250);
      await eventually(() => [first, second, other].every(({ told }) => told.length > 0));
      assert.deepEqual([first.told, second.told, other.told], [['test://a'], ['test://a'], ['test://a']]);
      await first.leave();
      harness.offers.change('test://a', '3');
      clock.pass(250);
      await eventually(() => second.told.length === 2);
      assert.equal(first.told.length, 1);
      await second.leave();
      await other.leave();
      await eventually(() => harness.offers.watching.length === 0);
    });
  }

  it('end with their session', async () => {
    const client = await harness.client('one', 'session');
    await client.subscribeResource({ uri: 'test://a' });
    harness.endpoint.endClient('one');
    await eventually(() => harness.offers.watching.length === 0);
    assert.equal(harness.endpoint.sessionCount, 0);
  });

  it('fail in the session era for what there is not, and are not acknowledged in the stateless one', async () => {
    const opened = await harness.post('one', initialize('2025-11-25'));
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const refused = await harness.post('one', rpc('resources/subscribe', { uri: 'test://none' }), session);
    assert.deepEqual(JSON.parse(refused.text).error, {
      code: -32_002,
      message: 'There is no test://none.',
      data: { uri: 'test://none' },
    });
    const stateless = await harness.client('one', 'stateless');
    const subscription = await stateless.listen({ resourceSubscriptions: ['test://none', 'test://b'] });
    assert.deepEqual(subscription.honoredFilter, { resourceSubscriptions: ['test://b'] });
    await subscription.close();
  });

  it('tell of lists that changed, in both eras', async () => {
    const told: string[] = [];
    const note = (who: string) => (notice: { method: string }) => {
      told.push(`${who} ${notice.method.split('/')[1]}`);
    };
    for (const era of ['session', 'stateless'] as const) {
      const client = await harness.client('one', era, (it) => {
        it.setNotificationHandler('notifications/tools/list_changed', note(era));
        it.setNotificationHandler('notifications/prompts/list_changed', note(era));
        it.setNotificationHandler('notifications/resources/list_changed', note(era));
      });
      if (era === 'stateless') {
        await client.listen({ toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true });
      }
    }
    harness.endpoint.notices.toolsChanged();
    harness.endpoint.notices.promptsChanged();
    harness.endpoint.notices.resourcesChanged();
    await eventually(() => told.length === 6);
    assert.deepEqual(told.sort(), [
      'session prompts',
      'session resources',
      'session tools',
      'stateless prompts',
      'stateless resources',
      'stateless tools',
    ]);
  });
});
