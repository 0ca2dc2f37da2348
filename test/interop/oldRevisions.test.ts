import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { Cli, type ListedServer } from './cli';
import { HttpServer } from './httpServer';
import { note } from './note';

const SESSION_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
const STATELESS = '2026-07-28';
const REVISIONS = [...SESSION_REVISIONS, STATELESS];
const program = (name: string): string => resolve('test/fixtures/servers', name);

describe('old revisions', () => {
  const remote = new Map<string, HttpServer>();
  let cli: Cli;
  let servers: readonly ListedServer[];

  before(async () => {
    cli = new Cli();
    const entries: Record<string, object> = {};
    for (const version of REVISIONS) {
      const isStateless = version === STATELESS;
      const server = await HttpServer.start({
        args: isStateless ? [program('sdkStateless.mjs'), 'http'] : [program('httpRevision.mjs'), version],
        listening: /^http/,
      });
      remote.set(version, server);
      const [url] = await server.said(/http\S+/);
      entries[`http ${version}`] = { url };
      entries[`stdio ${version}`] = {
        command: process.execPath,
        args: isStateless ? [program('sdkStateless.mjs')] : [program('anyVersion.mjs'), version],
      };
    }
    cli.configure(entries);
    servers = await cli.servers();
  });

  after(async () => {
    await Promise.all([...remote.values()].map((server) => server.stop()));
    cli.dispose();
  });

  for (const transport of ['stdio', 'http']) {
    for (const version of REVISIONS) {
      const name = `${transport} ${version}`;
      it(name, async function () {
        const { state, era, protocolVersion, counts, problem } = servers.find((one) => one.name === name)!;
        assert.deepEqual([state, problem], ['ready', undefined]);
        assert.deepEqual([protocolVersion, era], [version, version === STATELESS ? 'stateless' : 'session']);
        // `echo`, and in the stateless fixture `ask`.
        assert.equal(counts.tools, version === STATELESS ? 2 : 1);
        const nonce = randomUUID();
        assert.equal(await cli.call(name, 'echo', { nonce }), JSON.stringify({ nonce }));
        note(this, `negotiated ${protocolVersion}, era ${era}`);
      });
    }
  }

  for (const version of SESSION_REVISIONS.slice(1)) {
    it(`http ${version}, session ended by DELETE`, async () => {
      await remote.get(version)!.said(/session ended/);
    });
  }
});
