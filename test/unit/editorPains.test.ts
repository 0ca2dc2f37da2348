import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What users of other editors' servers suffer from, where a server can cause it, each with the beginning of a title whose
 * test says that ours does not. What only agents or other programs cause is not listed.
 */
const pains: readonly (readonly [pain: string, test: string])[] = [
  // Windows, ports, choosing the instance.
  ['two windows cannot have different ports', 'fault 63: the preferred port is a hint'],
  ['ports by project cannot be managed; the terminal should tell', 'goes by the folder asked for, the terminal'],
  ['a second window breaks at its start', 'fault 63: the preferred port is a hint'],
  ['“port in use” from merely opening another window', 'fault 63: the preferred port is a hint'],
  ['calls do not reach the window that owns the code', 'goes by the terminal, then by the window before'],
  ['nobody can tell which project was taken', 'takes the only window below the agent’s directory'],
  ['with several projects the agent lands on any of them', 'goes by the terminal, then by the window before'],
  ['a port that is refused makes the server look dead', 'fault 63: a port that is not allowed is passed over'],
  ['one of several agents owns the connection', '50 clients at once get each its own answers'],
  ['a window with an unrelated folder is taken without a word', 'takes the only window below the agent’s directory'],
  ['folders that share the beginning of their names are mixed up', 'compares whole segments, and cases'],
  ['it cannot be switched off', 'that the settings want is offered, and begins once'],
  // Paths and URIs.
  ['`c:` and `C:` are two folders', 'compares whole segments, and cases'],
  [
    'a drive letter in another case or encoding has no problems',
    'foreign, malformed and secret names are errors, a drive',
  ],
  ['malformed or encoded URIs find nothing', 'encoded, relative and whole names mean the same file'],
  ['spaces in a path break the start', 'encoded, relative and whole names mean the same file'],
  ['several folders, or their parent, are rejected', 'takes a relative path in the folder that is meant'],
  ['a process that cannot be seen makes a record count as dead', 'of windows that nobody listens in any more'],
  ['the place of the records cannot be moved', 'are the person’s alone, follow changes'],
  ['a proxy takes what is meant for loopback', 'passes on calls, progress, cancellation and changes'],
  ['a bare path where a URI is expected is an error', 'gives resources by any form of their URI'],
  ['the socket vanishes, and nothing recovers', 'goes on over a reload of its window'],
  ['a window hangs and its record stays', 'says which window does not serve it, once'],
  ['a refused change closes the person’s own diffs', 'are refused by Escape, and the diff goes, but none'],
  // Diagnostics.
  ['the buffer is older than the disk', 'fault 62: a buffer that is older than the disk'],
  ['results from before the language server settled', 'fault 62: an unopened file is loaded, and its problems awaited'],
  [
    'a fixed wait is too short for some languages, too long for others',
    'waits as long as the language has taken before',
  ],
  ['a closed file has “0 problems”', 'fault 62: a file that is not open is loaded'],
  ['only the visible file can be analysed', 'fault 62: a file that is not open is loaded'],
  ['problems of the project are always empty', 'loads the files of a folder where that is asked for'],
  ['a confident clean verdict on a broken file', 'does not call old problems current'],
  ['problems past the end of the text', 'marks what lies past the end of the text'],
  ['a code that is an object', 'gives a code that is an object as its value'],
  ['an invalid URI equals “no problems”', 'is an error for a foreign, secret or malformed name'],
  ['diagnostics cannot be held back while the selection is shared', 'gives a client only what the person lets it have'],
  // Size, numbering, buffers, timeouts, protocol.
  ['diagnostics flood the context', 'cuts a flood with its true total'],
  ['lines and columns count from 0 here and from 1 there', 'gives the symbols of a file one-based'],
  ['unsaved text is not seen', 'serves text that is not saved, to every way of asking'],
  ['the buffer hides what changed on disk', 'gives unsaved text, then the disk'],
  ['long calls are killed by the client', 'never waits for a person longer than clients do'],
  ['the start takes longer than the client waits', 'answers without a window, says how to get one'],
  ['node_modules and dumps are listed', 'leaves out what settings, Git and the list of secrets leave out'],
  ['templates are ignored by agents', 'offers what it has as resources, each template with a tool'],
  ['a proxy drops subscriptions and templates', 'bridge, official SDK 2'],
  ['an unknown newer version is rejected', 'fault 66: gives every request an answer of its own'],
  ['GET before POST makes the server count as failed', 'sends a client that comes by GET or DELETE first to POST'],
  ['a link leads out of the root', 'no path leads out of the workspace or to a secret'],
  ['a new file below a linked folder', 'fault 65: refuses a new file below a linked folder'],
  ['containment by the beginning of the path', 'fault 65: lie below a folder by whole segments'],
  ['DNS rebinding', 'rebinding: a foreign Host is refused'],
];

describe('pains of users of other editor servers', () => {
  it('have a test each', () => {
    const paths = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.test.ts'),
    );
    const texts = paths
      .filter((path) => !path.endsWith('editorPains.test.ts'))
      .map((path) => readFileSync(join('test', path), 'utf8'));
    assert.deepEqual(
      pains.filter(([, test]) => !texts.some((text) => ['`', "'"].some((quote) => text.includes(`${quote}${test}`)))),
      [],
    );
  });
});
