import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skip } from '../harness/skip';
import { openTestHub, type TestHub } from '../harness/testHub';
import { HttpServer } from './httpServer';
import { noCache } from './noCache';
import { note } from './note';
import { pythonServers } from './peers';
import { browserEntries, httpBridges, mcpRemoteEntry, remoteEverything, remoteHelloWorld } from './referencePrograms';

const caller = { kind: 'manual', label: 'the test' } as const;
const INSTALL_MS = 600_000;
const nonce = randomUUID();

async function callIn({ hub }: TestHub, server: string, name: string, args: object): Promise<string> {
  const { content } = await hub.callTool({ server, name }, args as Record<string, unknown>, { caller });
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');
}

function listed({ hub }: TestHub, server: string): string {
  const view = hub.server(server);
  const info = view?.lastInfo.peek();
  const lists = view?.lists.peek();
  return `${info?.era}, ${info?.protocolVersion}, ${lists?.tools.items.length} tools`;
}

describe('servers of other makers', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'portico-others-')));
  const programs: HttpServer[] = [];
  let test: TestHub;

  before(async () => {
    writeFileSync(join(folder, 'nonce.txt'), nonce);
    const hello = await remoteHelloWorld();
    const everything = await remoteEverything('streamableHttp');
    const supergateway = await httpBridges.supergateway(folder);
    const proxy = await httpBridges['mcp-proxy'](folder);
    programs.push(...(await Promise.all([hello, everything, supergateway, proxy].map(HttpServer.start))));
    test = await openTestHub(
      {
        ...browserEntries,
        'hello-world': { url: hello.url },
        'mcp-remote': mcpRemoteEntry(everything.url, folder),
        supergateway: { url: supergateway.url },
        'mcp-proxy': { url: proxy.url },
      },
      { cache: noCache },
    );
    await Promise.all(test.hub.servers.peek().map(({ id }) => test.hub.start(id, { interactive: false })));
  });
  after(async () => {
    await test?.close();
    await Promise.all(programs.map((program) => program.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  it('playwright: era, revision, tools', function () {
    assert.match(listed(test, 'playwright'), /^session, 2025-11-25, \d\d tools$/);
    note(this, listed(test, 'playwright'));
  });

  it('chrome-devtools: era, revision, tools', function () {
    assert.match(listed(test, 'chrome-devtools'), /^session, 2025-11-25, \d\d tools$/);
    note(this, listed(test, 'chrome-devtools'));
  });

  it('mcp-hello-world, over HTTP+SSE alone: a call', async function () {
    assert.match(await callIn(test, 'hello-world', 'echo', { message: nonce }), new RegExp(nonce));
    note(this, listed(test, 'hello-world'));
  });

  it('mcp-remote in front of everything: a call', async function () {
    assert.equal(await callIn(test, 'mcp-remote', 'echo', { message: nonce }), `Echo: ${nonce}`);
    note(this, listed(test, 'mcp-remote'));
  });

  for (const bridge of Object.keys(httpBridges)) {
    it(`${bridge} in front of filesystem: reads a file`, async function () {
      assert.equal(await callIn(test, bridge, 'read_text_file', { path: join(folder, 'nonce.txt') }), nonce);
      note(this, listed(test, bridge));
    });
  }
});

describe('reference servers in Python', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'portico-python-')));
  const page = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<html><body><article><h1>Page</h1><p>${nonce}</p></article></body></html>`);
  });
  let test: TestHub;

  before(async function () {
    this.timeout(INSTALL_MS);
    const entries: Record<string, object> = {};
    for (const [name, provide] of Object.entries(pythonServers)) {
      const provided = await provide(folder);
      if ('missing' in provided) {
        return skip(this, provided.missing);
      }
      entries[name] = provided.entry;
    }
    const git = (...args: readonly string[]): unknown => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
    git('init', '--initial-branch', 'main');
    writeFileSync(join(folder, 'nonce.txt'), nonce);
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    test = await openTestHub(entries, { cache: noCache });
    await Promise.all(test.hub.servers.peek().map(({ id }) => test.hub.start(id, { interactive: false })));
  });
  after(async () => {
    await test?.close();
    await new Promise((resolve) => page.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  it('git: the state of a repository', async function () {
    assert.match(await callIn(test, 'git', 'git_status', { repo_path: folder }), /nonce\.txt/);
    note(this, listed(test, 'git'));
  });

  it('time: the same moment elsewhere', async function () {
    const args = { source_timezone: 'UTC', time: '12:00', target_timezone: 'Asia/Tokyo' };
    assert.match(await callIn(test, 'time', 'convert_time', args), /T21:00:00\+09:00/);
    note(this, listed(test, 'time'));
  });

  it('fetch: a page', async function () {
    const { port } = page.address() as AddressInfo;
    assert.match(await callIn(test, 'fetch', 'fetch', { url: `http://127.0.0.1:${port}/` }), new RegExp(nonce));
    note(this, listed(test, 'fetch'));
  });

  it('sqlite: a table, and the memo that follows', async function () {
    await callIn(test, 'sqlite', 'create_table', { query: 'CREATE TABLE notes (text TEXT)' });
    await callIn(test, 'sqlite', 'write_query', { query: `INSERT INTO notes VALUES ('${nonce}')` });
    assert.match(await callIn(test, 'sqlite', 'read_query', { query: 'SELECT text FROM notes' }), new RegExp(nonce));
    await callIn(test, 'sqlite', 'append_insight', { insight: nonce });
    const { contents } = await test.hub.readResource('sqlite', 'memo://insights');
    assert.match(String((contents[0] as { text?: string }).text), new RegExp(nonce));
    note(this, listed(test, 'sqlite'));
  });
});
