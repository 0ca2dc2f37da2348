import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import type { SearchScope } from '../../../../../src/server/editor/files/searchTypes';
import { listOf } from '../../../../../src/server/editor/files/worker/listedPaths';
import { searchFiles } from '../../../../../src/server/editor/files/worker/searchFiles';
import { TemporaryWorkspace } from './temporaryWorkspace';

describe('searchFiles', () => {
  it('fault 65: reads nothing of what is put in the place of a directory while it searches there', () => {
    const paths = ['d/1.txt', 'd/2.txt', 'd/3.txt'];
    const ws = new TemporaryWorkspace(['ws']);
    try {
      paths.forEach((path) => {
        ws.write(`ws/${path}`, 'needle inside');
        ws.write(`out/${path}`, 'needle OUTSIDE');
      });
      let looks = 0;
      // It is asked for once per file.
      const scope: SearchScope = {
        folder: 0,
        get prefix() {
          looks += 1;
          if (looks === 2) {
            renameSync(ws.path('ws/d'), ws.path('ws/away'));
            ws.link('ws/d', ws.path('out/d'));
          }
          return '';
        },
      };
      const outcome = searchFiles(
        {
          pattern: { text: 'needle', isRegExp: false, matchCase: false, wholeWord: false },
          include: [],
          exclude: [],
          scope,
          maxMatches: 100,
          contextLines: 0,
          maxCharacters: 10_000,
          files: listOf([{ paths }]),
          folders: [{ path: ws.path('ws'), realPath: ws.path('ws') }],
          buffers: [],
          from: { file: 0, skip: 0 },
          budgetMs: 10_000,
        },
        () => undefined,
      );
      const found = outcome.files.map(({ path, matches }) => [path, ...matches.map(({ text }) => text)]);
      assert.deepEqual(found, [['d/1.txt', 'needle inside']]);
      assert.deepEqual([outcome.searched, outcome.skipped], [1, 2]);
    } finally {
      ws.dispose();
    }
  });
});
