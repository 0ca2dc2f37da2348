import { call, fixture, type Habit, start } from './habit';

const habit = (
  name: string,
  entry: object | readonly [string, ...string[]],
  use: Habit['use'],
  sees: RegExp,
): Habit => ({
  name,
  open: () => ({ entry: Array.isArray(entry) ? fixture(...(entry as [string, ...string[]])) : entry }),
  use,
  sees,
});

const good = /^1 tool · \{\}$/;
const slowProgram = `setTimeout(() => import(${JSON.stringify(fixture('plain').args[0])}), 1500)`;

/** Bad habits of programs on a pipe. Bounds of time are short, so that the matrix is. */
export const stdioHabits: readonly Habit[] = [
  habit('no message on stdout, and CRLF', ['strayStdout'], call('echo'), /^1 tool · a \{ b \} "c$/),
  habit('byte order mark', ['byteOrderMark'], call('echo'), good),
  habit('characters split between writes', ['byteByByte'], call('echo'), good),
  habit('line of 20 MB', ['endlessLine'], call('large'), /^4 tools · 20971520 characters$/),
  habit('line of 200 MB without an end', ['endlessLine'], call('stdout'), /64 M/),
  habit('50 MB on stderr without a newline', ['endlessLine'], call('stderr'), /^4 tools · still here$/),
  habit('answers twice, and for nobody', ['doubleAnswers'], call('echo', { a: 1 }), /^1 tool · \{"a":1\}$/),
  habit('progress and answers after the end', ['lateMessages'], call('echo'), /^1 tool · done$/),
  habit('messages before its initialize result', ['earlyMessages'], call('echo'), good),
  habit('10,000 notifications at once', ['burst'], call('echo'), /^1 tool · done$/),
  habit('lists that change 200 times a second', ['changeStorm'], call('storm'), /^2 tools · done$/),
  habit('10,000 tools', ['largeLists', 'tools'], call('t9999'), /^10,?000 tools · \{\}$/),
  habit('schema of 1 MB', ['largeLists', 'schema'], call('echo'), good),
  habit('schema and result 20,000 levels deep', ['deepNesting'], call('good'), /^2 tools · \[\]$/),
  habit('remote, recursive and dangling $ref', ['oddSchemas'], call('remote', { c: 1 }), /never follows references/),
  habit('list that is refused', ['failingLists'], start, /database is locked/),
  habit('cursors that repeat', ['cursors', 'repeat'], start, /^\d tools · .*cursor/),
  habit('cursors without an end', ['cursors', 'endless'], start, /^2 tools · .*ever more cursors/),
  habit('never answers', { ...fixture('mute'), startTimeout: 2 }, start, /^Failed: .*within 2 s/),
  habit('answers the handshake alone', { ...fixture('mute', 'half'), timeout: 1 }, start, /within 1 s/),
  habit(
    'call that is never answered',
    { ...fixture('endlessCall'), timeout: 1 },
    call('echo'),
    /^1 tool · .*within 1 s/,
  ),
  habit('starts late', { command: process.execPath, args: ['-e', slowProgram] }, call('echo'), good),
  habit('ends at once', ['exitAtOnce'], start, /^Failed: DATABASE_URL is not set/),
  habit('ends after the handshake', ['exitAfterInitialize'], start, /code 3/),
  habit('ends during a call', ['exitDuringCall'], call('echo'), /no more memory/),
  habit('ends on an unknown request', ['exitOnProbe'], call('echo'), good),
  habit('closes its stdout', ['closedStdout'], call('echo'), /closed its output/),
  habit(
    'no such command',
    { command: 'no-such-command' },
    start,
    /^Failed: the command "no-such-command" was not found/,
  ),
  habit('child that ignores SIGTERM', ['leavesChildren'], start, /^1 tool$/),
  habit('child in a group of its own', ['leavesDetached'], start, /^1 tool$/),
];
