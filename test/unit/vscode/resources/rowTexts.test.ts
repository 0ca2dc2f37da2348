import { deepEqual, equal } from 'node:assert/strict';
import type { Resource } from '@modelcontextprotocol/client';
import type { ServerList, ServerLists } from '../../../../src/core/connections/connectionTypes';
import {
  ago,
  hasRow,
  kindOf,
  partTexts,
  resourceTexts,
  serverTexts,
  sizeOf,
  templateTexts,
} from '../../../../src/vscode/resources/rowTexts';

const minute = 60_000;
const listed = <T>(items: readonly T[], more: Partial<ServerList<T>> = {}): ServerList<T> => ({
  from: 'server',
  items,
  setAside: [],
  ...more,
});
const none = listed<never>([]);
const lists = (more: Partial<ServerLists>): ServerLists => ({
  tools: none,
  prompts: none,
  resources: none,
  templates: none,
  ...more,
});
const resource = (uri: string, more: Partial<Resource> = {}): Resource => ({ uri, name: uri, ...more });
const ready = { kind: 'ready' } as Parameters<typeof serverTexts>[1];
const problem = { code: '-32603', message: 'The disk\nis full' };

describe('rows of the Resources view', () => {
  it('a server has one when it offers something, or its list failed', () => {
    equal(hasRow(lists({})), false);
    equal(hasRow(lists({ resources: listed([resource('a:b')]) })), true);
    equal(hasRow(lists({ templates: listed([{ name: 'a', uriTemplate: 'a:{b}' }]) })), true);
    equal(hasRow(lists({ resources: listed<Resource>([], { problem }) })), true);
    equal(hasRow(lists({ resources: listed<Resource>([], { setAside: [{ name: 'x', problem, raw: {} }] }) })), true);
  });

  it('a server says its count, and what is to be known of it', () => {
    const two = lists({ resources: listed([resource('a:b'), resource('a:c')]) });
    const texts = (...rest: Parameters<typeof serverTexts>) => Object.values(serverTexts(...rest));
    deepEqual(texts('files', ready, two, 0), ['2', 'files, 2 resources']);
    const many = lists({ resources: listed(Array.from({ length: 1200 }, (_, index) => resource(`a:${index}`))) });
    deepEqual(texts('files', ready, many, 0), ['1,200', 'files, 1,200 resources']);
    deepEqual(texts('files', ready, two, 1), ['2 · 1 updated', 'files, 2 resources, 1 updated']);
    deepEqual(texts('files', { kind: 'stopped' }, two, 0), ['2 · cached', 'files, 2 resources, cached']);
    const failed = lists({ resources: listed<Resource>([], { from: 'none', problem }) });
    deepEqual(texts('db', ready, failed, 0), ['The disk is full', 'db, 0 resources, The disk is full']);
    const cut = lists({ resources: listed([resource('a:b')], { problem }) });
    deepEqual(texts('db', ready, cut, 0), ['1 · The disk is full', 'db, 1 resource, The disk is full']);
  });

  const state = { key: 'shelf', label: 'a.md', parts: [], now: 100 * minute, flat: false };
  const part = { uri: 'x:a.md', mimeType: 'text/markdown', text: true, size: 2_048 };

  it('a resource says first when it was updated, then its parts, then its size', () => {
    const sized = resource('x:a.md', { mimeType: 'text/markdown', size: 12_300 });
    const description = (more: object) => resourceTexts(sized, { ...state, ...more }).description;
    equal(description({}), '12 KB');
    equal(description({ parts: [part, part] }), '2 parts');
    equal(description({ parts: [part, part], updatedAt: 98 * minute }), 'updated 2 min ago');
    equal(description({ flat: true }), '12 KB · x:a.md');
    equal(resourceTexts(sized, state).spoken, 'a.md, Markdown, from shelf');
    equal(resourceTexts(sized, { ...state, parts: [part, part] }).spoken, 'a.md, Markdown, from shelf, 2 parts');
  });

  it('what the list does not say of a resource, its last read does', () => {
    deepEqual(resourceTexts(resource('x:a.md'), { ...state, parts: [part] }), {
      description: '2 KB',
      spoken: 'a.md, Markdown, from shelf',
    });
  });

  it('a part has the name that its address gives, or its number', () => {
    const place = { uri: 'x:a.md', part: 1, of: 3, key: 'shelf' };
    deepEqual(partTexts({ ...part, uri: 'x:all/b.md' }, place), {
      label: 'b.md',
      description: '2 KB',
      spoken: 'b.md, Markdown, from shelf, part 2 of 3',
    });
    equal(partTexts(part, place).label, 'Part 2');
  });

  it('a template is told apart by its end', () => {
    const description = (uriTemplate: string) => templateTexts({ name: 'a', uriTemplate }, 'a', 'key').description;
    equal(description('demo://resource/dynamic/text/{resourceId}'), '…/text/{resourceId}');
    equal(description('file:///{+path}'), 'file:///{+path}');
    equal(description('shelf://books/{topic}/{title}'), '…/{topic}/{title}');
    equal(description('x:{a}'), 'x:{a}');
  });

  it('says MIME types as people do, whatever was sent', () => {
    const spoken = {
      'text/markdown; charset=utf-8': 'Markdown',
      'image/png': 'PNG image',
      'IMAGE/SVG+xml': 'SVG image',
      'application/octet-stream': 'binary',
      'application/vnd.api+json': 'api',
      'text/x-python': 'Python',
      'x/constructor': 'constructor',
      nonsense: '',
      '': '',
    };
    for (const [type, words] of Object.entries(spoken)) {
      equal(kindOf(type), words, type);
    }
    equal(kindOf(undefined), '');
  });

  it('believes no size that cannot be', () => {
    for (const size of [-1, NaN, Infinity, '12' as unknown as number]) {
      equal(sizeOf(resource('a:b', { size })), undefined);
    }
    equal(sizeOf(resource('a:b', { size: 0 })), 0);
  });

  it('says how long ago in whole units', () => {
    deepEqual([0, 59_000, minute, 59 * minute, 60 * minute, 47 * 60 * minute, 24 * 60 * minute].map(ago), [
      'just now',
      'just now',
      '1 min ago',
      '59 min ago',
      '1 h ago',
      '1 day ago',
      '1 day ago',
    ]);
  });
});
