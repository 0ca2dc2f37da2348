import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ToolRef } from '../../../src/core/catalog/catalogTypes';
import { openTestHub, type TestHub } from '../../harness/testHub';

const folder = mkdtempSync(join(tmpdir(), 'portico-scenario-'));
const log = join(folder, 'log');
const entry = (name: string): object => ({
  command: process.execPath,
  args: [resolve(`test/fixtures/servers/${name}.mjs`)],
  env: { SCENARIO_LOG: log },
});

/** What was made last from a tool, a resource or a prompt. */
function nonceOf(name: string): string {
  const entries = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { of?: string; nonce?: string });
  return entries.findLast(({ of }) => of === name)?.nonce ?? 'none was made';
}

describe('the servers of the travel scenario', function () {
  this.timeout(60_000);
  let opened: TestHub;
  before(async () => {
    opened = await openTestHub(
      { travel: entry('travel'), weather: entry('weather'), calendar: entry('calendar') },
      {
        approvalUi: { ask: async () => ({ kind: 'allow', duration: 'once', scope: 'tool' }) },
        elicitationUi: { ask: async () => ({ action: 'accept', content: { seat: 'aisle', confirm: true } }) },
      },
    );
    const { hub } = opened;
    await Promise.all(hub.servers.value.map(({ id }) => hub.start(id, { interactive: false })));
  });
  after(async () => {
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = async (server: string, name: string, args: Record<string, unknown>): Promise<string> => {
    const ref: ToolRef = { server, name };
    const result = await opened.hub.callTool(ref, args, { caller: { kind: 'agent', label: 'test' } });
    return JSON.stringify(result.content);
  };

  it('speak both eras', () => {
    const eras = opened.hub.servers.value.map(({ id, lastInfo }) => [id, lastInfo.value?.era]);
    assert.deepEqual(eras, [
      ['travel', 'session'],
      ['weather', 'stateless'],
      ['calendar', 'session'],
    ]);
  });

  it('complete the arguments of the prompt, each in the light of those before', async () => {
    const { hub } = opened;
    const ref = { type: 'ref/prompt', name: 'plan-vacation' } as const;
    const complete = async (name: string, value: string, context?: Record<string, string>) =>
      (await hub.complete('travel', ref, { name, value }, context)).completion.values;
    assert.deepEqual(await complete('destination', 'b'), ['Barcelona', 'Bergen']);
    assert.deepEqual(await complete('interests', '', { destination: 'Bergen' }), ['fjords', 'food', 'museums']);
    assert.deepEqual(await complete('budget', '3'), []);
  });

  it('give the prompt with both roles and an embedded resource', async () => {
    const { messages } = await opened.hub.getPrompt('travel', 'plan-vacation', {
      destination: 'Bergen',
      duration: '7',
    });
    assert.deepEqual(
      messages.map(({ role, content }) => [role, content.type]),
      [
        ['user', 'text'],
        ['assistant', 'text'],
        ['user', 'resource'],
      ],
    );
    assert.ok(JSON.stringify(messages).includes(nonceOf('plan-vacation')));
  });

  for (const [server, uri, of] of [
    ['weather', 'travel://preferences/europe', 'preferences'],
    ['calendar', 'calendar://my-calendar/June-2024', 'June-2024'],
  ] as const) {
    it(`${server}: its resource`, async () => {
      const { contents } = await opened.hub.readResource(server, uri);
      assert.ok(JSON.stringify(contents).includes(nonceOf(of)));
    });
  }

  for (const [server, tool, args] of [
    ['travel', 'searchFlights', { origin: 'NYC', destination: 'Barcelona', date: '2024-06-15' }],
    ['travel', 'bookFlight', { flight: 'IB 6250' }],
    ['weather', 'checkWeather', { city: 'Barcelona', date: '2024-06-15' }],
    ['calendar', 'createCalendarEvent', { title: 'Trip', startDate: '2024-06-15', endDate: '2024-06-22' }],
    ['calendar', 'sendEmail', { to: 'team@example.com', subject: 'Away', body: 'Until the 22nd.' }],
  ] as const) {
    it(`${server}: ${tool}`, async () => {
      const text = await call(server, tool, args);
      assert.ok(text.includes(nonceOf(tool)), text);
    });
  }
});
