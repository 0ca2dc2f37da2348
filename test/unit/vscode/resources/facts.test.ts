import { deepEqual } from 'node:assert/strict';
import { annotationLines, facts } from '../../../../src/vscode/resources/facts';

describe('facts of a resource', () => {
  it('are its type, its size and its annotations', () => {
    const lastModified = '2025-01-12T15:00:58Z';
    deepEqual(
      facts({
        uri: 'a:b',
        name: 'b',
        mimeType: 'text/plain',
        size: 2_048,
        annotations: { audience: ['user', 'assistant'], priority: 1, lastModified },
      }),
      [
        'text/plain · 2 KB (2048 bytes)',
        'For the person and the model',
        'Priority 1 (most important)',
        `Last modified ${new Date(lastModified).toLocaleString()}`,
      ],
    );
  });

  it('are none where nothing is said', () => deepEqual(facts({ uri: 'a:b', name: 'b' }), []));

  it('leave out annotations that are not as the spec has them', () => {
    for (const odd of [
      undefined,
      null,
      'x',
      [],
      { audience: 'user', priority: 7 },
      { audience: ['all'], priority: '1' },
    ]) {
      deepEqual(annotationLines(odd), []);
    }
    deepEqual(annotationLines({ lastModified: 'last\nweek' }), ['Last modified last week']);
    deepEqual(annotationLines({ priority: 0.333 }), ['Priority 0.33']);
  });
});
