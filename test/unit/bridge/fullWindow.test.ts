import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { NullLogger } from '../../../src/base/log';
import { PublishedRecord } from '../../../src/server/discovery/publishedRecord';
import { someRecord } from '../server/discovery/someRecord';
import { initialize, rpc } from '../server/gatewayHarness';
import { BridgeProgram } from './bridgeProcess';

describe('bridge: a window that has no room for another session', function () {
  this.timeout(60_000);

  it('is not asked again at once, and the agent is told why', async () => {
    const program = await BridgeProgram.build();
    const path = join(program.folder, 'full.sock');
    let openings = 0;
    const server = createServer((request, response) => {
      if (request.method === 'POST') {
        openings += 1;
        const error = { code: -32_000, message: 'All sessions are in use.' };
        response.writeHead(429).end(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
      } else {
        response.writeHead(405).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const record = someRecord('full', { address: { kind: 'socket', path } }, realpathSync(program.folder));
    const published = new PublishedRecord(program.home, record, new NullLogger());
    await published.written;
    const agent = program.start();
    agent.send(initialize('2025-11-25', 1));
    assert.match(
      JSON.stringify(await agent.answer(1)),
      /opens no session now: All sessions are in use\. Open the folder/,
    );
    agent.send(rpc('tools/call', { name: 'who', arguments: {} }, 2));
    assert.match(
      JSON.stringify(await agent.answer(2)),
      /opens no session now: All sessions are in use\..*"isError":true/,
    );
    assert.equal(openings, 1);
    assert.equal(await agent.end(), 0);
    published.dispose();
    await new Promise((resolve) => server.close(resolve));
    await program.dispose();
  });
});
