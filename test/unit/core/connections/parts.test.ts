import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../../../../src/base/clock';
import { TimeSlices } from '../../../../src/base/timeSlices';
import { MemoryStore } from '../../../../src/base/storage';
import type { CachedServer } from '../../../../src/core/connections/connectionTypes';
import { StoredEraMemory } from '../../../../src/core/connections/eraMemory';
import { FileListCache } from '../../../../src/core/connections/fileListCache';
import { LineReader } from '../../../../src/core/connections/lineReader';
import { descendantsOf, type ProcessRow, readPsLine, readStat } from '../../../../src/core/connections/processTable';
import { endTree, processControl } from '../../../../src/core/connections/processTree';
import { plainText, shortText } from '../../../../src/base/plainText';
import { readPrompt } from '../../../../src/core/connections/readPrompts';
import { readTool } from '../../../../src/core/connections/readTools';
import { readInitialize } from '../../../../src/core/connections/readInitialize';
import { readMessages } from '../../../../src/core/connections/readMessages';
import { StderrTail, tellingLine } from '../../../../src/core/connections/stderrTail';

describe('LineReader', () => {
  const read = (chunks: readonly string[], limit = 1_000): { lines: string[]; tooLong: number } => {
    const result = { lines: [] as string[], tooLong: 0 };
    const reader = new LineReader(
      limit,
      (line) => result.lines.push(String(line)),
      () => {
        result.tooLong += 1;
      },
    );
    for (const chunk of chunks) {
      reader.push(Buffer.from(chunk));
    }
    return result;
  };

  it('cuts lines wherever the chunks are cut', () => {
    assert.deepEqual(read(['a\nb', 'c\n\nd', '\n', 'rest']).lines, ['a', 'bc', '', 'd']);
  });

  it('fault 17: strips one byte order mark per line', () => {
    assert.deepEqual(read(['\uFEFFa\n\uFEFF', 'b\n']).lines, ['a', 'b']);
  });

  it('fault 18: keeps characters that chunks cut', () => {
    const lines: string[] = [];
    const reader = new LineReader(
      100,
      (line) => lines.push(String(line)),
      () => undefined,
    );
    for (const byte of Buffer.from('→é🎉漢\n')) {
      reader.push(Buffer.of(byte));
    }
    assert.deepEqual(lines, ['→é🎉漢']);
  });

  it('fault 19: gives up once above the limit, whether the line ends or not', () => {
    assert.deepEqual(read(['12345', '678', '90123\nx\n'], 10), { lines: [], tooLong: 1 });
    assert.deepEqual(read(['1234567890\n12345678901\n'], 10), { lines: ['1234567890'], tooLong: 1 });
  });
});

describe('readMessages', () => {
  const message = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, result: { text: '} " \\ {' } });
  const ids = (line: string): unknown[] => readMessages(line).messages.map((each) => 'id' in each && each.id);

  it('fault 16: recovers messages that have text glued to them, and tells the text', () => {
    assert.deepEqual(ids(`12:00 {level} ${message(1)}`), [1]);
    assert.equal(readMessages(`12:00 {level} ${message(1)}`).stray, '12:00 {level}');
    assert.deepEqual(ids(`${message(1)} done`), [1]);
    assert.deepEqual(ids(`${message(1)}${message(2)}`), [1, 2]);
  });

  it('fault 16: takes no other JSON for a message', () => {
    for (const line of ['{"level":"info","msg":"x"}', '[]', '12', 'null', '"text"', '{"jsonrpc":"2.0"', '']) {
      assert.deepEqual(readMessages(line), { messages: [], stray: line });
    }
  });

  it('reads a batch', () => {
    assert.deepEqual(ids(`[${message(1)},${message(2)}]`), [1, 2]);
  });

  it('fault 16: ignores a carriage return', () => {
    assert.deepEqual(readMessages(`${message(1)}\r`).stray, '');
  });
});

describe('readInitialize', () => {
  it('leaves out what is mistyped and fills in what is missing', () => {
    const info = { name: 'srv', version: '' };
    const read = (result: Record<string, unknown>): unknown => readInitialize(result, 'srv');
    assert.deepEqual(read({ protocolVersion: 'v' }), { protocolVersion: 'v', capabilities: {}, serverInfo: info });
    assert.deepEqual(
      read({
        capabilities: { tools: true, prompts: null, resources: { listChanged: 'yes', subscribe: true }, logging: 1 },
        serverInfo: { name: 'a', version: 1, title: 2 },
        instructions: {},
      }),
      {
        capabilities: { tools: {}, resources: { subscribe: true } },
        serverInfo: { name: 'a', version: '1' },
      },
    );
  });
});

describe('plainText', () => {
  it('removes what a terminal would act on', () => {
    const text =
      '\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u001b\\ \u009b1mbold \u001b(Bx\u0000\u202ey\tz';
    assert.equal(plainText(text), 'red link bold x y z');
  });

  it('as part of a sentence is on one line and cut, between characters', () => {
    assert.equal(shortText(' \u001b[31mred\u001b[0m \r\n\t line\u202e '), 'red line');
    assert.equal(shortText('a'.repeat(200)), 'a'.repeat(200));
    assert.equal(shortText('a'.repeat(201)), `${'a'.repeat(200)}…`);
    assert.equal(shortText('a💥💥', 2), 'a…');
    assert.equal(shortText(`ab${'\u0000'.repeat(1_000_000)}`, 5), 'ab…');
  });

  it('is how readers name what they set aside', () => {
    for (const read of [
      readTool({ name: `a\u001b[31m${'b'.repeat(1_000)}` }),
      readPrompt({ name: `a\u001b[31m${'b'.repeat(1_000)}`, arguments: 7 }),
    ]) {
      const { name, problem } = read as { name: string; problem: { message: string } };
      assert.equal(name, `a${'b'.repeat(199)}…`);
      assert.ok(problem.message.includes(` "${name}" `));
    }
  });
});

describe('stderr', () => {
  it('finds the line that tells why', () => {
    const node = [
      'file:///x/server.js:3',
      "throw new Error('DATABASE_URL is not set');",
      '      ^',
      'Error: DATABASE_URL is not set',
      '    at file:///x/server.js:3:7',
      '  code: 5',
      '}',
      'Node.js v20.20.2',
    ];
    assert.equal(tellingLine(node), 'DATABASE_URL is not set');
    assert.equal(tellingLine(['Traceback:', '  File "a.py"', 'ValueError: bad port', '']), 'bad port');
    assert.equal(tellingLine(['npm warn deprecated', 'API_KEY is missing', 'bye']), 'API_KEY is missing');
    assert.equal(tellingLine(['INFO hello', 'INFO running']), 'INFO running');
    assert.equal(tellingLine([]), undefined);
  });

  it('fault 19: keeps the last lines and cuts long ones', () => {
    const seen: string[] = [];
    const tail = new StderrTail((line) => seen.push(line));
    tail.push(Buffer.from('x'.repeat(100_000)));
    tail.push(Buffer.from(`${'x'.repeat(100_000)}\n${'line\n'.repeat(100)}last`));
    assert.equal(seen[0]?.length, 2_000);
    assert.equal(tail.lines.length, 41);
    assert.equal(tail.lines.at(-1), 'last');
  });

  it('fault 19: reads a flood a slice at a time', async () => {
    const calls: string[] = [];
    let time = 0;
    const tail = new StderrTail(
      () => (time += 4),
      { pause: () => calls.push('pause'), resume: () => calls.push('resume') },
      new TimeSlices(() => time),
    );
    tail.push(Buffer.from('a\nb\n'));
    assert.deepEqual(calls, []);
    // The same turn: several chunks together may take no longer than one.
    tail.push(Buffer.from('c\n\n\n'));
    assert.deepEqual(calls, ['pause']);
    await setImmediate();
    assert.deepEqual(calls, ['pause', 'resume']);
    tail.push(Buffer.from('d\n'));
    assert.deepEqual([calls.length, tail.lines], [2, ['a', 'b', 'c', 'd']]);
  });
});

describe('ending a process tree', () => {
  const graces = { stdinMs: 20, terminateMs: 20 };

  it('insists only when asking does not help', async () => {
    const calls: string[] = [];
    let alive = true;
    const control = {
      alive: () => alive,
      terminate: () => calls.push('terminate') > 0,
      kill: () => {
        calls.push('kill');
        alive = false;
      },
      table: async () => [],
      signal: () => calls.push('signal'),
    };
    const close = (): void => void calls.push('close');
    await endTree(1, close, graces, control, systemClock);
    assert.deepEqual(calls, ['close', 'terminate', 'kill']);
    await endTree(1, close, graces, control, systemClock);
    assert.deepEqual(calls, ['close', 'terminate', 'kill', 'close']);
  });

  it('fault 27: ends what has left the group, but no later process with the same number', async () => {
    const row = (pid: number, parent: number, started = 'a'): ProcessRow => ({ pid, parent, started });
    const signals: unknown[] = [];
    let table = [row(1, 0), row(5, 1), row(6, 5), row(7, 5), row(8, 7), row(9, 1)];
    assert.deepEqual(
      descendantsOf(5, table).map(({ pid }) => pid),
      [6, 7, 8],
    );
    const control = {
      alive: () => false,
      terminate: () => true,
      kill: () => undefined,
      table: async () => table,
      signal: (pid: number, signal: string) => signals.push([pid, signal]),
    };
    const close = (): void => {
      table = [row(1, 0), row(7, 1, 'b'), row(8, 1), row(9, 1)];
    };
    await endTree(5, close, graces, control, systemClock);
    assert.deepEqual(signals, [
      [8, 'SIGTERM'],
      [8, 'SIGKILL'],
    ]);
  });

  it('reads the tables of Linux and macOS', () => {
    const stat = `7 (a) b) S 3 ${Array.from({ length: 17 }, () => 0).join(' ')} 99 1`;
    assert.deepEqual(readStat(stat), { pid: 7, parent: 3, started: '99' });
    assert.equal(readStat(stat.replace(' S ', ' Z ')), undefined);
    const line = '    7     3 Ss   Fri Nov 27 22:49:42 2026    ';
    assert.deepEqual(readPsLine(line), { pid: 7, parent: 3, started: 'Fri Nov 27 22:49:42 2026' });
    assert.equal(readPsLine(line.replace('Ss', 'Z+')), undefined);
  });

  it('uses taskkill on Windows, where there is no group and no SIGTERM', () => {
    const run: unknown[] = [];
    const control = processControl('win32', (command, args) => run.push([command, ...args]));
    assert.equal(control.terminate(7), false);
    control.kill(7);
    assert.deepEqual(run, [['taskkill', '/PID', '7', '/T', '/F']]);
  });
});

describe('what is remembered of servers', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'portico-cache-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const list = { from: 'server', items: [], setAside: [] } as const;
  const cached: CachedServer = {
    info: { era: 'session', protocolVersion: '2025-11-25', serverInfo: { name: 'a', version: '1' }, capabilities: {} },
    lists: { tools: list, resources: list, templates: list, prompts: list },
  };

  it('lists lie in one file per digest; what is corrupt counts as absent', async () => {
    const cache = new FileListCache(join(folder, 'lists'));
    assert.equal(await cache.read('a/b'), undefined);
    await cache.write('a/b', cached);
    assert.deepEqual(await cache.read('a/b'), cached);
    assert.equal(await cache.read('a/c'), undefined);
    const [name = ''] = readdirSync(join(folder, 'lists'));
    for (const text of ['{"format":1', 'null', '{"format":1,"info":{},"lists":{}}', '{"format":0}']) {
      writeFileSync(join(folder, 'lists', name), text);
      assert.equal(await cache.read('a/b'), undefined);
    }
  });

  it('a file that somebody else wrote is read like what a server sends', async () => {
    const cache = new FileListCache(join(folder, 'foreign'));
    await cache.write('a', cached);
    const [name = ''] = readdirSync(join(folder, 'foreign'));
    const put = (value: object): void => writeFileSync(join(folder, 'foreign', name), JSON.stringify(value));
    const empty = { from: 'server', items: [], setAside: [] };
    const good = { name: 'good', inputSchema: { type: 'object' } };
    const none = { resources: empty, templates: empty, prompts: { ...empty, items: [7] } };
    put({
      format: 1,
      info: { era: 'session', protocolVersion: '2025-11-25', capabilities: { tools: 1 }, serverInfo: 5 },
      lists: {
        ...none,
        tools: {
          ...empty,
          items: [null, 'x', { name: 4 }, { ...good, description: 9, title: 'T' }, good],
          setAside: [1, { name: 'half' }, { name: 'whole', problem: { code: 'X', message: 'why' }, raw: 1 }],
          problem: 'many',
        },
      },
    });
    const read = await cache.read('a');
    assert.deepEqual(read?.lists.tools.items, [{ ...good, title: 'T' }]);
    assert.deepEqual(
      read.lists.tools.setAside.map((entry) => entry.name),
      ['whole', '(no name)', '(no name)', '(no name)'],
    );
    assert.equal(read.lists.tools.problem, undefined);
    assert.equal(read.lists.prompts.setAside.length, 1);
    assert.deepEqual(read.info.capabilities, {});
    assert.deepEqual(read.info.serverInfo, { name: '', version: '' });
    put({ format: 1, info: { ...read.info, era: 'bronze' }, lists: read.lists });
    assert.equal(await cache.read('a'), undefined);
    put({ format: 1, info: read.info, lists: { ...read.lists, tools: { ...empty, from: 'hell' } } });
    assert.equal(await cache.read('a'), undefined);
  });

  it('the oldest lists go beyond the bound', async () => {
    const cache = new FileListCache(folder, 2);
    for (const digest of ['a', 'b', 'c']) {
      await cache.write(digest, cached);
    }
    assert.equal(readdirSync(folder).length, 2);
  });

  it('eras survive a reload, and wrong ones are forgotten', () => {
    const store = new MemoryStore();
    const eras = new StoredEraMemory(store);
    eras.set('a', 'stateless');
    eras.set('b', 'session');
    eras.set('b', undefined);
    const again = new StoredEraMemory(store);
    assert.equal(again.get('a'), 'stateless');
    assert.equal(again.get('b'), undefined);
  });
});
