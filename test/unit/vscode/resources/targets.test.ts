import { deepEqual } from 'node:assert/strict';
import { toDocumentAddress } from '../../../../src/vscode/interop/resourceAddress';
import { toTargets } from '../../../../src/vscode/resources/targets';

describe('targets of commands', () => {
  it('are rows of resources, parts and templates, and documents of resources', () => {
    const uri = 'file:///A%20b/../ü?x#y';
    deepEqual(
      toTargets([
        { kind: 'resource', server: 's', uri, view: {} },
        { kind: 'part', server: 's', uri, part: 2 },
        { kind: 'template', server: 's', template: 'x:{a}' },
        toDocumentAddress({ server: 's', uri }, 'b'),
      ]),
      [
        { kind: 'resource', server: 's', uri },
        { kind: 'resource', server: 's', uri, part: 2 },
        { kind: 'template', template: 'x:{a}' },
        { kind: 'resource', server: 's', uri },
      ],
    );
  });

  it('are nothing else', () => {
    const others = [
      undefined,
      null,
      'x',
      1,
      {},
      { kind: 'server', server: 's' },
      { scheme: 'file', path: '/a', query: '' },
    ];
    deepEqual(toTargets(others), []);
  });
});
