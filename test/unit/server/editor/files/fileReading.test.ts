import assert from 'node:assert/strict';
import { rmSync, truncateSync } from 'node:fs';
import { PorticoError, type PorticoErrorCode } from '../../../../../src/base/errors';
import type { Asker } from '../../../../../src/server/editor/files/asker';
import { FileReading, LARGEST_BLOB, LARGEST_TEXT } from '../../../../../src/server/editor/files/fileReading';
import { MOST_SCANNED } from '../../../../../src/server/editor/files/largeText';
import type { OpenedFile } from '../../../../../src/server/editor/files/openedFile';
import { PathGate } from '../../../../../src/server/editor/files/pathGate';
import { takeLines } from '../../../../../src/server/editor/files/takeLines';
import { eventually } from '../../../core/connections/until';
import { TemporaryWorkspace } from './temporaryWorkspace';

const refusedWith =
  (code: PorticoErrorCode, pattern: RegExp) =>
  (error: unknown): boolean =>
    PorticoError.is(error, code) && pattern.test(error.message);

const asker: Asker = { client: { id: 'one' }, signal: new AbortController().signal };

describe('reading files', () => {
  let ws: TemporaryWorkspace;
  let gate: PathGate;
  let reading: FileReading;
  beforeEach(() => {
    ws = new TemporaryWorkspace(['ws']);
    gate = new PathGate({ folders: ws.folders, settings: ws.settings });
    reading = new FileReading(gate, ws.documents);
  });
  afterEach(() => ws.dispose());
  const whole = async (name: string) => reading.use(name, undefined, (found) => reading.whole(found, asker));
  const text = async (name: string): Promise<readonly [string, string, string, string]> => {
    const content = await whole(name);
    assert.ok(content.kind === 'text');
    const { source, encoding, eol } = content.meta;
    return [content.text, source, encoding, eol];
  };

  it('gives unsaved text, then the disk; the editor’s where it is the same', async () => {
    ws.write('ws/a.ts', 'disk\n');
    assert.deepEqual(await text('a.ts'), ['disk\n', 'disk', 'utf-8', 'lf']);
    ws.openDocument('ws/a.ts', 'unsaved\r\n', { isDirty: true, version: 7, eol: '\r\n' });
    assert.deepEqual(await text('a.ts'), ['unsaved\r\n', 'buffer', 'utf8', 'crlf']);
    const content = await whole('a.ts');
    assert.ok(content.kind === 'text');
    assert.deepEqual([content.meta.dirty, content.meta.version, content.mimeType], [true, 7, 'text/typescript']);
    ws.openDocument('ws/a.ts', 'disk\r\n', { version: 8, eol: '\r\n' });
    assert.deepEqual(await text('a.ts'), ['disk\r\n', 'buffer', 'utf8', 'crlf']);
    ws.write('ws/a.ts', 'changed outside\n');
    assert.deepEqual(await text('a.ts'), ['changed outside\n', 'disk', 'utf-8', 'lf']);
  });

  it('finds the document by whichever name it was opened', async () => {
    ws.write('ws/dir/a.ts', 'disk');
    ws.link('ws/link', ws.path('ws/dir'));
    ws.openDocument('ws/dir/a.ts', 'unsaved', { isDirty: true });
    assert.equal((await text('link/a.ts'))[0], 'unsaved');
    const [[uri, document] = ['', undefined]] = ws.open;
    ws.open.delete(uri);
    ws.open.set('file:///other-form', { ...document!, uri: 'file:///other-form' });
    assert.equal((await text('dir/a.ts'))[0], 'unsaved');
  });

  it('knows a file that was removed, unless the editor has it unsaved', async () => {
    ws.write('ws/a.ts', 'disk');
    ws.openDocument('ws/a.ts', 'disk');
    rmSync(ws.path('ws/a.ts'));
    await assert.rejects(whole('a.ts'), refusedWith('RESOURCE_UNKNOWN', /There is no "a\.ts"/));
    ws.openDocument('ws/a.ts', 'kept', { isDirty: true });
    assert.equal((await text('a.ts'))[0], 'kept');
  });

  it('decodes what it can, and says how', async () => {
    ws.write('ws/bom.txt', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('ä')]));
    ws.write('ws/le.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('ä\r\n', 'utf16le')]));
    ws.write('ws/be.txt', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('ä', 'utf16le').swap16()]));
    ws.write('ws/latin.txt', Buffer.from([0x80, 0xe4]));
    ws.write('ws/empty.txt', '');
    assert.deepEqual(await text('bom.txt'), ['ä', 'disk', 'utf-8 with BOM', 'lf']);
    assert.deepEqual(await text('le.txt'), ['ä\r\n', 'disk', 'utf-16le', 'crlf']);
    assert.deepEqual(await text('be.txt'), ['ä', 'disk', 'utf-16be', 'lf']);
    assert.deepEqual(await text('latin.txt'), ['\x80ä', 'disk', 'latin1 (guessed)', 'lf']);
    assert.deepEqual(await text('empty.txt'), ['', 'disk', 'utf-8', 'lf']);
    ws.openDocument('ws/latin.txt', 'Ђд', { encoding: 'windows1251' });
    assert.deepEqual(await text('latin.txt'), ['Ђд', 'buffer', 'windows1251', 'lf']);
    ws.openDocument('ws/latin.txt', 'of another file', { encoding: 'windows1251' });
    assert.deepEqual(await text('latin.txt'), ['\x80ä', 'disk', 'latin1 (guessed)', 'lf']);
  });

  it('gives binary data as it is, up to a size', async () => {
    ws.write('ws/a.png', Buffer.from([0x89, 0x50, 0, 1]));
    ws.write('ws/b', Buffer.from([0]));
    ws.write('ws/large.bin', Buffer.alloc(LARGEST_BLOB + 1));
    const content = await whole('a.png');
    assert.ok(content.kind === 'blob');
    assert.deepEqual([content.base64, content.mimeType], ['iVAAAQ==', 'image/png']);
    assert.equal((await whole('b')).mimeType, 'application/octet-stream');
    await assert.rejects(
      whole('large.bin'),
      refusedWith('RESOURCE_FAILED', /large\.bin has 5242881 bytes of binary data, and at most 5242880 /),
    );
    const file = await gate.file('a.png');
    const lines = { startLine: 1, column: 1, maxCharacters: 10 };
    await assert.rejects(reading.part({ place: file }, lines, asker), refusedWith('RESOURCE_FAILED', /binary data/));
  });

  it('decodes large texts as it does small ones', async () => {
    const ascii = Buffer.from(`${'x'.repeat(99)}\n`.repeat(12_000));
    const part = async (content: readonly Buffer[], startLine: number) => {
      ws.write('ws/large.txt', Buffer.concat(content));
      const wanted = { startLine, column: 1, maxCharacters: 10 };
      const { text: given, meta } = await reading.part({ place: await gate.file('large.txt') }, wanted, asker);
      return [given, meta.encoding];
    };
    const latin = Buffer.from('caf\xe9\n', 'latin1');
    assert.deepEqual(await part([latin, ascii], 1), ['café\n', 'latin1 (guessed)']);
    assert.deepEqual(await part([ascii, latin], 12_001), ['café\n', 'latin1 (guessed)']);
    const mark = Buffer.from([0xef, 0xbb, 0xbf]);
    assert.deepEqual(await part([mark, Buffer.from('café\n'), ascii], 1), ['café\n', 'utf-8 with BOM']);
    // A sign of two bytes across the end of what is looked at first.
    const head = Buffer.concat([Buffer.alloc(256 * 1_024 - 1, 'y'), Buffer.from('é\ncafé\n')]);
    assert.deepEqual(await part([head, ascii], 2), ['café\n', 'utf-8']);
  });

  it('gives large texts in parts alone, of whatever line', async () => {
    const line = `${'x'.repeat(99)}\n`;
    ws.write('ws/large.txt', line.repeat(20_000) + 'the end\n');
    await assert.rejects(
      whole('large.txt'),
      refusedWith('RESOURCE_FAILED', /large\.txt has 2000008 bytes, .*startLine/),
    );
    const file = await gate.file('large.txt');
    const part = await reading.part({ place: file }, { startLine: 20_001, column: 1, maxCharacters: 100 }, asker);
    assert.deepEqual([part.text, part.startLine, part.endLine, part.next], ['the end\n', 20_001, 20_001, undefined]);
    const middle = await reading.part(
      { place: file },
      { startLine: 9_999, column: 1, endLine: 10_500, maxCharacters: 250 },
      asker,
    );
    assert.deepEqual([middle.text, middle.endLine, middle.next], [line.repeat(2), 10_000, { line: 10_001, column: 1 }]);
    const past = reading.part({ place: file }, { startLine: 20_002, column: 1, maxCharacters: 100 }, asker);
    await assert.rejects(past, refusedWith('ARGUMENTS_INVALID', /fewer lines/));
    ws.write('ws/one-line.txt', 'y'.repeat(LARGEST_TEXT + 10));
    const long = await gate.file('one-line.txt');
    const tail = await reading.part(
      { place: long },
      { startLine: 1, column: LARGEST_TEXT + 1, maxCharacters: 100 },
      asker,
    );
    assert.equal(tail.text, 'y'.repeat(10));
  });

  it('gives the same parts of a large text as of a small one, whatever its lines and encoding', async () => {
    const text = ['short', 'ä😀'.repeat(300_000), '', 'tail\r', 'last'].join('\n');
    const file = async (bytes: Buffer) => {
      ws.write('ws/any.txt', bytes);
      return gate.file('any.txt');
    };
    const mark = Buffer.from([0xff, 0xfe]);
    for (const bytes of [Buffer.from(text), Buffer.concat([mark, Buffer.from(text, 'utf16le')])]) {
      const found = await file(bytes);
      for (const wanted of [
        { startLine: 1, column: 1, maxCharacters: 100 },
        { startLine: 1, column: 3, maxCharacters: 100 },
        { startLine: 2, column: 1, maxCharacters: 1_000 },
        { startLine: 2, column: 300_001, maxCharacters: 1_001 },
        { startLine: 2, column: 899_998, maxCharacters: 2 },
        { startLine: 2, column: 899_998, endLine: 4, maxCharacters: 100 },
        { startLine: 3, column: 1, maxCharacters: 100 },
        { startLine: 4, column: 2, endLine: 4, maxCharacters: 100 },
        { startLine: 5, column: 1, maxCharacters: 4 },
      ]) {
        const { text: given, startLine, endLine, next } = await reading.part({ place: found }, wanted, asker);
        const told = { text: given, startLine, endLine, ...(next ? { next } : {}) };
        assert.deepEqual(told, takeLines(text, wanted), JSON.stringify(wanted));
      }
    }
  });

  it('looks for a line of a large text in one pass, until it is cancelled or has read enough', async () => {
    ws.write('ws/one-line.txt', Buffer.alloc(40 * 1_024 * 1_024, 'z'));
    const file = await gate.file('one-line.txt');
    const wanted = { startLine: 2, column: 1, maxCharacters: 100 };
    let worst = 0;
    let last = performance.now();
    const turns = setInterval(() => {
      worst = Math.max(worst, performance.now() - last);
      last = performance.now();
    }, 1);
    const start = performance.now();
    await assert.rejects(reading.part({ place: file }, wanted, asker), refusedWith('ARGUMENTS_INVALID', /fewer lines/));
    const took = performance.now() - start;
    clearInterval(turns);
    // The square of it took minutes, and turns of a second.
    assert.ok(took < 10_000 && worst < 300, `${took} ${worst}`);
    const leaving = new AbortController();
    const opened = await gate.open(file);
    const read: OpenedFile['read'] = (bytes, position) => {
      leaving.abort();
      return opened.read(bytes, position);
    };
    const leftAtOnce = Object.assign(Object.create(opened) as OpenedFile, { read });
    const reads = reading.part({ place: file, opened: leftAtOnce }, wanted, { ...asker, signal: leaving.signal });
    await assert.rejects(reads, refusedWith('CANCELLED', /Reading/));
    opened.close();
    truncateSync(ws.path('ws/one-line.txt'), MOST_SCANNED + 1);
    const enough = reading.part({ place: await gate.file('one-line.txt') }, wanted, asker);
    await assert.rejects(
      enough,
      refusedWith('RESOURCE_FAILED', /^This place is not in the first 256 MB of the file,.*Give an earlier line/),
    );
  }).timeout(20_000);

  it('tells by the stamp where a large text is in another encoding than it began with', async () => {
    ws.write('ws/late.txt', Buffer.concat([Buffer.from('é'.repeat(LARGEST_TEXT)), Buffer.from([0xe9])]));
    const place = await gate.file('late.txt');
    const part = (column: number) => reading.part({ place }, { startLine: 1, column, maxCharacters: 10 }, asker);
    const [first, second, late] = [await part(1), await part(11), await part(LARGEST_TEXT - 1)];
    assert.deepEqual(
      [first, late].map(({ meta }) => meta.encoding),
      ['utf-8', 'latin1 (guessed)'],
    );
    assert.deepEqual([second.stamp === first.stamp, late.stamp === first.stamp], [true, false]);
  });

  it('takes lines', () => {
    const taken = (value: string, startLine: number, endLine?: number, maxCharacters = 100, column = 1) =>
      takeLines(value, { startLine, column, maxCharacters, ...(endLine === undefined ? {} : { endLine }) });
    assert.deepEqual(taken('a\nb\nc', 2), { text: 'b\nc', startLine: 2, endLine: 3 });
    assert.deepEqual(taken('a\nb\nc\n', 2, 2), { text: 'b\n', startLine: 2, endLine: 2 });
    assert.deepEqual(taken('a\nb\n', 1, 99), { text: 'a\nb\n', startLine: 1, endLine: 2 });
    assert.deepEqual(taken('', 1), { text: '', startLine: 1, endLine: 1 });
    assert.equal(taken('a\n', 2), undefined);
    assert.equal(taken('', 2), undefined);
    assert.deepEqual(taken('ab\ncdef\n', 1, undefined, 4), {
      text: 'ab\n',
      startLine: 1,
      endLine: 1,
      next: { line: 2, column: 1 },
    });
    assert.deepEqual(taken('abcdef\ng', 1, undefined, 4), {
      text: 'abcd',
      startLine: 1,
      endLine: 1,
      next: { line: 1, column: 5 },
    });
    assert.deepEqual(taken('abcdef\ng', 1, undefined, 4, 5), { text: 'ef\ng', startLine: 1, endLine: 2 });
    assert.equal(taken('abc😀d', 1, undefined, 4)?.text, 'abc');
  });

  it('reads large files of one client one after another, and small ones and those of others meanwhile', async () => {
    ws.write('ws/a.bin', 'x');
    const place = await gate.file('a.bin');
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const read = (name: string, size: number, client: string) => {
      const bytes = (_start: number, length: number): Promise<Uint8Array> => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, () => resolve(new Uint8Array(length))));
      };
      const opened = { size, mtime: '', mtimeMs: 0, bytes } as unknown as OpenedFile;
      return reading.whole({ place, opened }, { ...asker, client: { id: client } });
    };
    const reads = [read('first', 65_537, 'one'), read('second', 65_537, 'one'), read('third', 65_537, 'one')];
    reads.push(read('small', 65_536, 'one'), read('other', 65_537, 'other'));
    await eventually(() => begun.includes('other'));
    assert.deepEqual(begun, ['small', 'first', 'other']);
    for (const name of ['small', 'first', 'other', 'second', 'third']) {
      await eventually(() => ends.has(name));
      assert.ok(name !== 'third' || begun.indexOf('third') === 4);
      ends.get(name)?.();
    }
    const sizes = (await Promise.all(reads)).map((content) => content.kind === 'blob' && content.base64.length);
    assert.deepEqual(sizes, [87_384, 87_384, 87_384, 87_384, 87_384]);
    assert.deepEqual(begun, ['small', 'first', 'other', 'second', 'third']);
  });
});
