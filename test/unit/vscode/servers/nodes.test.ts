import { deepEqual } from 'node:assert/strict';
import type { ConfigProblem, ConfigSource } from '../../../../src/core/config/configTypes';
import type { ServerView } from '../../../../src/core/hubTypes';
import { inConfigOrder, isProblem } from '../../../../src/vscode/servers/nodes';

describe('inConfigOrder', () => {
  const a: ConfigSource = { id: 'a', kind: 'settings', scope: 'user', label: 'a' };
  const b: ConfigSource = { id: 'b', kind: 'mcpJson', scope: 'folder', label: 'b' };

  it('puts a problem where its entry stands, and never sorts servers', () => {
    const rows = inConfigOrder(
      [server('z', a, 10), server('m', a, 50), server('c', b, 5)],
      [problem('y', a, 30), problem('last', a, 90), problem('first', b, 1)],
    );
    deepEqual(names(rows), ['z', 'y!', 'm', 'last!', 'first!', 'c']);
  });

  it('puts a file’s own problem behind its servers, and one of a file without servers at the end', () => {
    deepEqual(names(inConfigOrder([server('z', a, 10)], [problem('file', b), problem('all', a)])), [
      'z',
      'all!',
      'file!',
    ]);
  });
});

function place(source: ConfigSource, offset: number) {
  return { file: source.id, line: 0, offset, length: 1 };
}

function server(key: string, source: ConfigSource, offset: number): ServerView {
  return { id: key, definition: { key, source, place: place(source, offset) } } as unknown as ServerView;
}

function problem(key: string, source: ConfigSource, offset?: number): ConfigProblem {
  return {
    code: 'CONFIG_INVALID',
    message: '',
    source,
    key,
    ...(offset === undefined ? {} : { place: place(source, offset) }),
  };
}

function names(rows: readonly (ServerView | ConfigProblem)[]): string[] {
  return rows.map((row) => (isProblem(row) ? `${row.key}!` : row.definition.key));
}
