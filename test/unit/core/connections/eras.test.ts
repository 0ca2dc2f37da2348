import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { PorticoError } from '../../../../src/base/errors';
import { type TestConnection, tracedConnections } from './testConnection';
import { eventually } from './until';

const start = { interactive: false } as const;

describe('eras', () => {
  const { wire, traced } = tracedConnections();

  const eraOf = ({ connection }: TestConnection): string => {
    const state = connection.state.value;
    return state.kind === 'ready' ? `${state.info.era} ${state.info.protocolVersion}` : state.kind;
  };

  it('probes in place, on one process, and not at all the second time', async () => {
    const server = traced('plain.mjs');
    await server.connection.start(start);
    assert.equal(eraOf(server), 'session 2025-11-25');
    assert.equal(wire.pids.length, 1);
    assert.deepEqual(wire.methods.slice(0, 3), ['server/discover', 'initialize', 'notifications/initialized']);
    await server.connection.stop();
    await server.connection.start(start);
    assert.equal(wire.pids.length, 2);
    assert.equal(wire.methods.filter((method) => method === 'server/discover').length, 1);
  });

  it('starts a server that ends on the probe again, with initialize, and remembers', async () => {
    const server = traced('exitOnProbe.mjs');
    await server.connection.start(start);
    assert.equal(eraOf(server), 'session 2025-11-25');
    assert.equal(wire.pids.length, 2);
    await server.connection.stop();
    await server.connection.start(start);
    assert.equal(wire.pids.length, 3);
  });

  it('sends initialize to a server that stays silent on the probe', async () => {
    const server = traced('silentOnProbe.mjs', [], { limits: { startMs: 3_000 } });
    await server.connection.start(start);
    assert.equal(eraOf(server), 'session 2025-11-25');
    assert.equal(wire.pids.length, 1);
  });

  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    it(`speaks ${version}`, async () => {
      const server = traced('anyVersion.mjs', [version]);
      await server.connection.start(start);
      assert.equal(eraOf(server), `session ${version}`);
    });
  }

  it('fault 34: refuses a version that it does not know, by name', async () => {
    const server = traced('anyVersion.mjs', ['1999-01-01']);
    await assert.rejects(server.connection.start(start), { code: 'PROTOCOL_VERSION', message: /MCP 1999-01-01/ });
    assert.equal(eraOf(server), 'failed');
  });

  for (const [version, reason] of [
    ['', 'does not say which version of MCP it speaks. Only its author can correct it.'],
    [
      '2026-07-28',
      'answered initialize with MCP 2026-07-28, which has no such handshake. Update the server, or have it answer server/discover.',
    ],
  ] as const) {
    it(`fault 34: says what is wrong with the version "${version}"`, async () => {
      const { connection } = traced('anyVersion.mjs', [version]);
      await assert.rejects(connection.start(start), { code: 'PROTOCOL_VERSION', message: `"srv" ${reason}` });
    });
  }

  it('fault 34: of many versions some are named, as plain text, and how many more there are', async () => {
    const refused = async (...supportedVersions: string[]): Promise<string> => {
      const discover = { resultType: 'complete', supportedVersions, capabilities: {}, ttlMs: 0, cacheScope: 'private' };
      const { connection } = traced('scripted.mjs', [JSON.stringify({ 'server/discover': [discover] })]);
      const error: unknown = await connection.start(start).catch((reason: unknown) => reason);
      assert.ok(PorticoError.is(error, 'PROTOCOL_VERSION'));
      return error.message;
    };
    const unknown = 'which Portico does not know. Update the server or Portico.';
    assert.equal(
      await refused(...Array.from({ length: 5_000 }, (_, at) => `v${at}`)),
      `"srv" speaks MCP v0, v1, v2, v3, v4 and 4995 more, ${unknown}`,
    );
    assert.equal(
      await refused('9\u001b[31m9\n9\u202e', ' ', '', 'x'.repeat(10_000)),
      `"srv" speaks MCP 99 9, ${'x'.repeat(40)}…, ${unknown}`,
    );
    for (const none of [[], ['', ' \n']]) {
      assert.equal(
        await refused(...none),
        '"srv" does not say which version of MCP it speaks. Only its author can correct it.',
      );
    }
  });

  it('a refused handshake says why, as plain text and in short', async () => {
    const error = { code: -32000, message: `\u001b[31mno\n${'o'.repeat(50_000)}` };
    const { connection } = traced('scripted.mjs', [JSON.stringify({ initialize: [{ error }] })]);
    await assert.rejects(connection.start(start), {
      code: 'CONNECT_FAILED',
      message: `"srv" started but refused the handshake: no ${'o'.repeat(197)}…`,
    });
  });

  it('speaks the stateless era: lists, results and changes come as they were sent', async () => {
    const server = traced('stateless.mjs');
    const { connection } = server;
    await connection.start(start);
    assert.equal(eraOf(server), 'stateless 2026-07-28');
    const names = (): readonly string[] => connection.lists.value.tools.items.map(({ name }) => name);
    assert.deepEqual(names(), ['echo', 'askRoots']);
    assert.deepEqual(
      connection.lists.value.tools.setAside.map(({ name }) => name),
      ['broken'],
    );
    await eventually(() => wire.entries.some(({ listening }) => listening !== undefined));
    const result = await connection.callTool('echo', {});
    assert.deepEqual(result.content, [{ type: 'hologram', data: '?' }]);
    assert.deepEqual(result._meta, { kept: true });
    await eventually(() => names().includes('extra0'));
  });

  it('declines what a stateless server asks for and Portico does not offer', async () => {
    const { connection } = traced('stateless.mjs', ['elicitation/create']);
    await connection.start(start);
    await assert.rejects(connection.callTool('askRoots', {}), {
      code: 'NOT_SUPPORTED',
      message: /elicitation\/create/,
    });
    assert.equal(connection.state.value.kind, 'ready');
  });

  it('recovers when a remembered era is wrong: upgraded, then downgraded', async () => {
    const mark = wire.path('upgraded');
    const server = traced('upgraded.mjs', [mark]);
    await server.connection.start(start);
    assert.equal(eraOf(server), 'session 2025-11-25');
    await server.connection.stop();
    writeFileSync(mark, '');
    await server.connection.start(start);
    assert.equal(eraOf(server), 'stateless 2026-07-28');
    await server.connection.stop();
    const digest = server.connection.definition.launchDigest;
    assert.equal(server.eras.get(digest), 'stateless');
    const old = traced('plain.mjs');
    old.eras.set(old.connection.definition.launchDigest, 'stateless');
    await old.connection.start(start);
    assert.equal(eraOf(old), 'session 2025-11-25');
    assert.equal(old.eras.get(old.connection.definition.launchDigest), 'session');
  });

  it('fault 44: answers a ping before the handshake and sends nothing else before initialized', async () => {
    const server = traced('earlyMessages.mjs');
    await server.connection.start(start);
    assert.equal(eraOf(server), 'session 2025-11-25');
    await eventually(() => server.log.lines.includes('server: early word'));
    const initialized = wire.entries.findIndex(({ method }) => method === 'notifications/initialized');
    assert.deepEqual(
      wire.entries.slice(1, initialized).map(({ method, id }) => method ?? id),
      ['server/discover', 'initialize', 'early'],
    );
  });

  it('fault 44: answers a ping while it probes', async () => {
    const server = traced('pingOnProbe.mjs');
    await server.connection.start(start);
    assert.equal(eraOf(server), 'session 2025-11-25');
    assert.equal(wire.pids.length, 1);
  });
});
