import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { PorticoError, type PorticoErrorCode } from '../../../../../src/base/errors';
import { FileReading, LARGEST_BLOB, LARGEST_TEXT } from '../../../../../src/server/editor/files/fileReading';
import { PathGate } from '../../../../../src/server/editor/files/pathGate';
import { takeLines } from '../../../../../src/server/editor/files/takeLines';
import { TemporaryWorkspace } from './temporaryWorkspace';

const refusedWith =
  (code: PorticoErrorCode, pattern: RegExp) =>
  (error: unknown): boolean =>
    PorticoError.is(error, code) && pattern.test(error.message);

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
  const whole = async (name: string) => reading.whole(await reading.resolve(name));
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
    ws.openDocument('ws/latin.txt', 'Ад', { encoding: 'windows1251' });
    assert.deepEqual(await text('latin.txt'), ['Ад', 'buffer', 'windows1251', 'lf']);
  });

  it('gives binary data as it is, up to a size', async () => {
    ws.write('ws/a.png', Buffer.from([0x89, 0x50, 0, 1]));
    ws.write('ws/b', Buffer.from([0]));
    ws.write('ws/large.bin', Buffer.alloc(LARGEST_BLOB + 1));
    const content = await whole('a.png');
    assert.ok(content.kind === 'blob');
    assert.deepEqual([content.base64, content.mimeType], ['iVAAAQ==', 'image/png']);
    assert.equal((await whole('b')).mimeType, 'application/octet-stream');
    await assert.rejects(whole('large.bin'), refusedWith('RESOURCE_FAILED', /large\.bin is 5 MB of binary data/));
    const file = await gate.file('a.png');
    const lines = { startLine: 1, column: 1, maxCharacters: 10 };
    await assert.rejects(reading.part(file, lines), refusedWith('RESOURCE_FAILED', /binary data/));
  });

  it('gives large texts in parts alone, of whatever line', async () => {
    const line = `${'x'.repeat(99)}\n`;
    ws.write('ws/large.txt', line.repeat(20_000) + 'the end\n');
    await assert.rejects(whole('large.txt'), refusedWith('RESOURCE_FAILED', /large\.txt is 2 MB, .*startLine/));
    const file = await gate.file('large.txt');
    const part = await reading.part(file, { startLine: 20_001, column: 1, maxCharacters: 100 });
    assert.deepEqual([part.text, part.startLine, part.endLine, part.next], ['the end\n', 20_001, 20_001, undefined]);
    const middle = await reading.part(file, { startLine: 9_999, column: 1, endLine: 10_500, maxCharacters: 250 });
    assert.deepEqual([middle.text, middle.endLine, middle.next], [line.repeat(2), 10_000, { line: 10_001, column: 1 }]);
    const past = reading.part(file, { startLine: 20_002, column: 1, maxCharacters: 100 });
    await assert.rejects(past, refusedWith('ARGUMENTS_INVALID', /fewer lines/));
    ws.write('ws/one-line.txt', 'y'.repeat(LARGEST_TEXT + 10));
    const long = await gate.file('one-line.txt');
    const tail = await reading.part(long, { startLine: 1, column: LARGEST_TEXT + 1, maxCharacters: 100 });
    assert.equal(tail.text, 'y'.repeat(10));
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

  it('fault 65: lists directories without secrets and without links that lead out', async () => {
    for (const path of ['ws/b.ts', 'ws/a/c.ts', 'ws/.env', 'ws/.ssh/key', 'out/x.ts']) {
      ws.write(path);
    }
    ws.link('ws/out', ws.path('out'));
    ws.link('ws/keys', ws.path('ws/.ssh'));
    ws.link('ws/inner', ws.path('ws/a'));
    const { entries, total } = await reading.directory(await gate.directory('.'));
    assert.deepEqual(entries, [
      { name: 'a', kind: 'directory', uri: ws.uri('ws/a') },
      { name: 'b.ts', kind: 'file', uri: ws.uri('ws/b.ts') },
      { name: 'inner', kind: 'directory', uri: ws.uri('ws/inner') },
    ]);
    assert.equal(total >= entries.length, true);
    const passed = await gate.directory('a');
    rmSync(ws.path('ws/a'), { recursive: true });
    ws.link('ws/a', ws.path('out'));
    await assert.rejects(reading.directory(passed), refusedWith('RESOURCE_UNKNOWN', /not in the workspace|no such/));
  });
});
