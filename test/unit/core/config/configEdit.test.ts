import assert from 'node:assert/strict';
import {
  applyEdits,
  entryFor,
  removeEntry,
  renameEntry,
  setDisabled,
  setEntry,
  setEntryText,
  takeOver,
} from '../../../../src/core/config/configEdit';
import type { EntryPath, TextEdit } from '../../../../src/core/config/configTypes';
import { recognizeServer } from '../../../../src/core/config/recognize';
import { fakeConfig } from './fakeConfig';

const path: EntryPath = ['mcpServers', 'new'];
const entry = { command: 'x', args: ['1'] };
const lines = (...text: string[]): string => text.join('\n');

/** The text after the edits; a check besides that what is undone is byte for byte the old text. */
function after(text: string, edits: readonly TextEdit[]): string {
  const result = applyEdits(text, edits);
  const [edit] = edits;
  if (edit !== undefined) {
    const undo = {
      offset: edit.offset,
      length: edit.text.length,
      text: text.slice(edit.offset, edit.offset + edit.length),
    };
    assert.equal(applyEdits(result, [undo]), text);
  }
  return result;
}

const written = lines('    "new": {', '      "command": "x",', '      "args": [', '        "1"', '      ]', '    }');

describe('configEdit', () => {
  it('begins a file where there is none', () => {
    const text = lines('{', '  "mcpServers": {', written, '  }', '}', '');
    assert.equal(after('', setEntry('', path, entry)), text);
    assert.equal(after('// mine\n', setEntry('// mine\n', path, entry)), `// mine\n${text}`);
  });

  it('adds an entry and keeps comments, trailing commas and all else', () => {
    const cases: [string, string][] = [
      ['{}', lines('{', '  "mcpServers": {', written, '  }', '}')],
      [lines('{', '  "mcpServers": {}', '}', ''), lines('{', '  "mcpServers": {', written, '  }', '}', '')],
      [
        lines('{', '  "mcpServers": {', '    // none yet', '  }', '}'),
        lines('{', '  "mcpServers": {', '    // none yet', written, '  }', '}'),
      ],
      [
        lines('{', '  "mcpServers": {', '    "a": {} // first', '    // last', '  }', '}'),
        lines('{', '  "mcpServers": {', '    "a": {}, // first', '    // last', written, '  }', '}'),
      ],
      [
        lines('{', '  "mcpServers": {', '    "a": {}, /* first */', '  },', '}'),
        lines('{', '  "mcpServers": {', '    "a": {}, /* first */', `${written},`, '  },', '}'),
      ],
      ['{"mcpServers": {"a": {}}}', '{"mcpServers": {"a": {}, "new": { "command": "x", "args": [ "1" ] }}}'],
    ];
    for (const [before, expected] of cases) {
      assert.equal(after(before, setEntry(before, path, entry)), expected);
    }
  });

  it('keeps tabs and Windows line ends', () => {
    const before = '{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n';
    assert.equal(
      after(before, setEntry(before, path, { command: 'x' })),
      '{\r\n\t"mcpServers": {\r\n\t\t"a": {},\r\n\t\t"new": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}\r\n',
    );
  });

  it('changes the fields of an entry and keeps the comments between them', () => {
    const before = lines(
      '{',
      '  "mcpServers": {',
      '    "new": {',
      '      // why',
      '      "command": "y", // so',
      '      "cwd": "/"',
      '    }',
      '  }',
      '}',
    );
    assert.equal(
      after(before, setEntry(before, path, { command: 'x', env: { A: '1' } })),
      lines(
        '{',
        '  "mcpServers": {',
        '    "new": {',
        '      // why',
        '      "command": "x", // so',
        '      "env": {',
        '        "A": "1"',
        '      }',
        '    }',
        '  }',
        '}',
      ),
    );
    assert.deepEqual(setEntry(before, path, { cwd: '/', command: 'y' }), []);
  });

  it('removes an entry with the comments that are its own', () => {
    const file = (...middle: string[]): string => lines('{', '  "mcpServers": {', ...middle, '  }', '}');
    const cases: [string, string][] = [
      [
        file('    "a": {}, // a', '    // about new', '    /* more */', '    "new": {} // new'),
        file('    "a": {} // a'),
      ],
      [
        file('    // about all', '', '    // about new', '    "new": {},', '    // about b', '    "b": {}'),
        file('    // about all', '', '    // about b', '    "b": {}'),
      ],
      [file('    "a": {},', '    "new": {},'), file('    "a": {},')],
      [file('    "new": {}'), lines('{', '  "mcpServers": {}', '}')],
      ['{"mcpServers": {"a": {}, "new": {}, "b": {}}}', '{"mcpServers": {"a": {}, "b": {}}}'],
      ['{"mcpServers": {"a": {}, "new": {}}}', '{"mcpServers": {"a": {}}}'],
      ['{"mcpServers": {"new": {}}}', '{"mcpServers": {}}'],
      ['{"mcpServers": {"new": {}, "b": {}}}', '{"mcpServers": {"b": {}}}'],
    ];
    for (const [before, expected] of cases) {
      assert.equal(after(before, removeEntry(before, path)), expected);
    }
    assert.deepEqual(removeEntry('{}', path), []);
  });

  it('adds and removes to the same text', () => {
    const texts = [
      lines('{', '  "mcpServers": {', '    "a": {} // first', '  }', '}'),
      lines('{', '  "mcpServers": {', '    "a": {},', '  },', '}'),
      '{"mcpServers": {"a": {}}}',
      '{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}',
    ];
    for (const text of texts) {
      const added = applyEdits(text, setEntry(text, path, entry));
      assert.equal(applyEdits(added, removeEntry(added, path)), text);
    }
  });

  it('turns an entry off and on', () => {
    const text = lines('{ "mcpServers": {', '  "new": {', '    "command": "x" // c', '  }', '} }');
    const off = after(text, setDisabled(text, path, true));
    assert.equal(
      off,
      lines('{ "mcpServers": {', '  "new": {', '    "command": "x", // c', '    "disabled": true', '  }', '} }'),
    );
    assert.equal(after(off, setDisabled(off, path, false)), text);
    const enabled = '{"mcpServers": {"new": {"enabled": false, "command": "x"}}}';
    assert.equal(after(enabled, setDisabled(enabled, path, false)), '{"mcpServers": {"new": {"command": "x"}}}');
    assert.throws(() => setDisabled('{}', path, true), { code: 'CONFIG_WRITE_FAILED' });
  });

  it('renames, unless the name is taken', () => {
    const text = '{"mcpServers": {"new": {}, "b": {}}}';
    assert.equal(after(text, renameEntry(text, path, 'q"')), '{"mcpServers": {"q\\"": {}, "b": {}}}');
    assert.throws(() => renameEntry(text, path, 'b'), { code: 'CONFIG_WRITE_FAILED', message: /"b" already/ });
  });

  it('treats odd names as names', () => {
    const text = '{"mcpServers": {}}';
    for (const key of ['__proto__', 'constructor', '0', 'a.b', '']) {
      const added = applyEdits(text, setEntry(text, ['mcpServers', key], { command: 'x' }));
      assert.ok(added.includes(`${JSON.stringify(key)}: {`));
      assert.equal(applyEdits(added, removeEntry(added, ['mcpServers', key])), text);
    }
  });

  it('changes nothing in a file that cannot be parsed', () => {
    assert.throws(() => setEntry('{\n"a": {"b" 1}}', path, entry), {
      code: 'CONFIG_WRITE_FAILED',
      message: 'The file cannot be changed: a colon is missing after a name (line 2). Mend it first.',
    });
    assert.throws(() => setEntry('{"mcpServers": []}', path, entry), { code: 'CONFIG_WRITE_FAILED' });
  });

  it('takes an entry over with its comments and inputs, and leaves .mcp.json as it is', async () => {
    const { files, start } = fakeConfig();
    const text = lines(
      '{',
      '  "inputs": [{ "id": "k", "type": "promptString", "password": true }],',
      '  "servers": {',
      '    "a": {',
      '      "command": "x", // the program',
      '      "env": { "K": "${input:k}" }',
      '    },',
      '    "b": { "command": "y" }',
      '  }',
      '}',
    );
    files.texts.set('/ws/.vscode/mcp.json', text);
    files.texts.set('/ws/.mcp.json', '{"mcpServers": {"c": {"command": "z"}}}');
    const { service, definition } = await start();
    service.dispose();
    const { from, entryText } = takeOver(definition('a'), text);
    assert.ok(!applyEdits(text, from).includes('"a"'));
    const settings = lines('{', '\t// mine', '\t"editor.fontSize": 12', '}');
    assert.equal(
      after(settings, setEntryText(settings, ['portico.servers', 'a'], entryText)),
      lines(
        '{',
        '\t// mine',
        '\t"editor.fontSize": 12,',
        '\t"portico.servers": {',
        '\t\t"a": {',
        '\t\t\t"command": "x", // the program',
        '\t\t\t"env": { "K": "${input:k}" },',
        '\t\t\t"inputs": [',
        '\t\t\t\t{',
        '\t\t\t\t\t"id": "k",',
        '\t\t\t\t\t"type": "promptString",',
        '\t\t\t\t\t"password": true',
        '\t\t\t\t}',
        '\t\t\t]',
        '\t\t}',
        '\t}',
        '}',
      ),
    );
    assert.deepEqual(takeOver(definition('c'), '{"mcpServers": {"c": {"command": "z"}}}').from, []);
  });

  it('never puts a line comment into a line', () => {
    const text = '{"portico.servers": {"a": {}}}';
    const result = after(text, setEntryText(text, ['portico.servers', 'b'], '{\n  "command": "x" // c\n}'));
    assert.equal(after(result, removeEntry(result, ['portico.servers', 'b'])), '{"portico.servers": {"a": {}\n}}');
  });

  it('writes inputs where each kind of file keeps them', () => {
    const recognition = recognizeServer('API_KEY=<key> npx -y x-mcp');
    const server = recognition.kind === 'servers' ? recognition.servers[0]! : assert.fail();
    assert.deepEqual(entryFor(server, 'settings')['inputs'], [
      { id: 'x-api-key', type: 'promptString', description: 'API_KEY', password: true },
    ]);
    assert.deepEqual(entryFor(server, 'mcpJson'), {
      command: 'npx',
      args: ['-y', 'x-mcp'],
      env: { API_KEY: '${API_KEY}' },
    });
  });
});
