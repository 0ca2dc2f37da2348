import { deepEqual, equal } from 'node:assert/strict';
import type { Tool } from '@modelcontextprotocol/client';
import { toolEffect, toolLabel } from '../../../../src/vscode/servers/toolRow';

const tool = (extra: Partial<Tool>): Tool => ({ name: 'a_tool', inputSchema: { type: 'object' }, ...extra });

describe('toolRow', () => {
  it('says what annotations claim only of a trusted server', () => {
    const claims = [{ readOnlyHint: true }, { readOnlyHint: false }, { destructiveHint: true }, {}, undefined];
    const of = (trusted: boolean) =>
      claims.map((annotations) => toolEffect(tool(annotations ? { annotations } : {}), trusted));
    deepEqual(of(true), ['reads', 'writes', 'deletes', undefined, undefined]);
    deepEqual(of(false), [undefined, undefined, undefined, undefined, undefined]);
  });

  it('labels a tool by its title, its annotations’ title, its name', () => {
    equal(toolLabel(tool({ title: 'A Tool', annotations: { title: 'Other' } })), 'A Tool');
    equal(toolLabel(tool({ annotations: { title: 'Other' } })), 'Other');
    equal(toolLabel(tool({})), 'a_tool');
    equal(toolLabel(tool({ title: '\u200b\n' })), 'a_tool');
    equal(toolLabel(tool({ name: '' })), '(no name)');
  });
});
