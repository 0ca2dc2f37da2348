import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../unit/core/connections/until';
import { Cli, type ListedServer } from './cli';
import { Context7Api } from './context7Api';
import { HttpServer } from './httpServer';
import { note } from './note';
import { remoteContext7, remoteEverything, stdioEntries } from './referencePrograms';

/** Tools, resources, templates, prompts. */
type Counts = readonly [number, number, number, number];

const DOCUMENT = 'demo://resource/static/document/features.md';
/** Its tools for roots and elicitation come with the capabilities; those for sampling would too. */
const EVERYTHING: Counts = [16, 7, 2, 4];
const nonce = randomUUID();

describe('reference servers', () => {
  const remote = new Map<string, HttpServer>();
  let cli: Cli;
  let api: Context7Api;
  let starts: string;
  let servers: readonly ListedServer[] = [];

  before(async () => {
    cli = new Cli();
    starts = join(cli.folder, 'starts');
    api = await Context7Api.start(nonce);
    writeFileSync(join(cli.folder, 'nonce.txt'), nonce);
    const programs = {
      'everything over HTTP': await remoteEverything('streamableHttp'),
      'everything over SSE': await remoteEverything('sse'),
      'context7 over HTTP': await remoteContext7(api.url),
    };
    const entries: Record<string, object> = stdioEntries(cli.folder, starts, api.url);
    await Promise.all(
      Object.entries(programs).map(async ([name, program]) => {
        remote.set(name, await HttpServer.start(program));
        entries[name] = { url: program.url };
      }),
    );
    cli.configure(entries);
  });

  after(async () => {
    await Promise.all([...remote.values()].map((server) => server.stop()));
    await api.stop();
    cli.dispose();
  });

  afterEach('no process is left', () => {
    assert.deepEqual(startedPids().filter(isAlive), []);
    rmSync(starts, { force: true });
  });

  const startedPids = (): readonly number[] =>
    existsSync(starts) ? readFileSync(starts, 'utf8').trim().split('\n').map(Number) : [];

  it('all start at once, with one process each', async () => {
    servers = await cli.servers();
    assert.deepEqual(
      servers.map(({ state, problem }) => [state, problem]),
      servers.map(() => ['ready', undefined]),
    );
    assert.equal(startedPids().length, 4);
  });

  const expected: readonly [string, string, string, Counts][] = [
    ['everything', 'session', '2025-11-25', EVERYTHING],
    ['everything over HTTP', 'session', '2025-11-25', EVERYTHING],
    ['everything over SSE', 'session', '2025-11-25', EVERYTHING],
    ['filesystem', 'session', '2025-11-25', [14, 0, 0, 0]],
    ['memory', 'session', '2025-11-25', [9, 1, 0, 0]],
    ['context7', 'stateless', '2026-07-28', [2, 0, 0, 0]],
    ['context7 over HTTP', 'stateless', '2026-07-28', [2, 0, 0, 0]],
  ];
  for (const [name, era, version, counts] of expected) {
    it(`${name}: era, revision, counts`, function () {
      const server = servers.find((one) => one.name === name);
      assert.ok(server, 'not listed');
      const { tools, resources, templates, prompts } = server.counts;
      assert.deepEqual([server.era, server.protocolVersion], [era, version]);
      assert.deepEqual([tools, resources, templates, prompts], counts);
      note(this, `${era}, ${version}, ${counts.join('/')}`);
    });
  }

  for (const name of ['everything', 'everything over HTTP', 'everything over SSE']) {
    it(`${name}: calls`, async () => {
      assert.equal(await cli.call(name, 'echo', { message: nonce }), `Echo: ${nonce}`);
      assert.equal(await cli.call(name, 'get-sum', { a: 40, b: 2 }), 'The sum of 40 and 2 is 42.');
    });
    it(`${name}: a resource and a prompt`, async () => {
      const { contents } = await cli.run<{ contents: { uri: string; text: string }[] }>('read', name, DOCUMENT);
      assert.equal(contents[0]?.uri, DOCUMENT);
      assert.match(contents[0].text, /^# Everything Server/);
      const prompt = await cli.run<{ messages: object[] }>('prompt', name, 'args-prompt', '{"city":"Bern"}');
      assert.deepEqual(prompt.messages, [{ role: 'user', content: { type: 'text', text: "What's weather in Bern?" } }]);
    });
    it(`${name}: an answer to its question`, async () => {
      const answers = join(cli.folder, 'answers.json');
      const content = { name: nonce, check: true, email: 'ada@example.com', integer: 42 };
      writeFileSync(answers, JSON.stringify({ elicitation: [{ action: 'accept', content }] }));
      const ask = ['call', name, 'trigger-elicitation-request', '{}'];
      const texts = async (...flags: readonly string[]): Promise<string> =>
        JSON.stringify(await cli.run(...flags, ...ask));
      assert.match(await texts('--answers', answers), new RegExp(`Name: ${nonce}`));
      assert.match(await texts(), /declined/);
    });
  }

  it('everything over HTTP: the session is ended by DELETE', async () => {
    await remote.get('everything over HTTP')?.said(/session termination request/);
  });

  it('filesystem: lists a folder and reads a file', async () => {
    assert.match(
      (await cli.call('filesystem', 'list_directory', { path: cli.folder })) ?? '',
      /^\[FILE\] nonce\.txt$/m,
    );
    const path = join(cli.folder, 'nonce.txt');
    assert.equal(await cli.call('filesystem', 'read_text_file', { path }), nonce);
  });

  it('memory: remembers from one start to the next', async () => {
    const entity = { name: nonce, entityType: 'nonce', observations: ['seen'] };
    await cli.call('memory', 'create_entities', { entities: [entity] });
    const graph = JSON.parse((await cli.call('memory', 'read_graph', {})) ?? '') as { entities: object[] };
    assert.deepEqual(graph.entities, [entity]);
    const uri = 'memory://knowledge-graph';
    const { contents } = await cli.run<{ contents: { text: string }[] }>('read', 'memory', uri);
    assert.ok(contents[0]?.text.includes(nonce));
  });

  for (const name of ['context7', 'context7 over HTTP']) {
    it(`${name}: a call`, async () => {
      const text = await cli.call(name, 'resolve-library-id', { query: 'any', libraryName: 'any' });
      assert.ok(text?.includes(`Title: ${nonce}`), text);
    });
  }
});
