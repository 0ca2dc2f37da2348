import { mkdirSync, writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { Reporter } from './reporter.mjs';

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants;
const file = 'out/interop.json';
const longestNote = 160;

/**
 * Prints besides a table per suite with a row per test, and writes them to `out/interop.json` as
 * `[{suite, case, outcome: pass|fail|skip, passed, failed, seconds, note?}]`. `passed` and `failed` count the checks that
 * the test made by a program of others, else the test is one check; those, and their time, come from its `measured`.
 * The note is the test's `note`, or why it failed or was skipped.
 */
export class TableReporter extends Reporter {
  constructor(runner, options) {
    const rows = [];
    // Listens first, so that the counts, which close the output, come after the tables.
    runner.on(EVENT_TEST_PASS, (test) => rows.push(toRow(test, test.measured?.short ? 'fail' : 'pass', test.note)));
    runner.on(EVENT_TEST_PENDING, (test) => rows.push(toRow(test, 'skip', test.reason)));
    runner.on(EVENT_TEST_FAIL, (test, error) => rows.push(toRow(test, 'fail', firstWords(error.message))));
    runner.once(EVENT_RUN_END, () => {
      print(rows);
      mkdirSync('out', { recursive: true });
      writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`);
    });
    super(runner, options);
  }
}

function toRow(test, outcome, note) {
  const [suite, ...rest] = test.titlePath();
  const {
    passed = Number(outcome === 'pass'),
    failed = Number(outcome === 'fail'),
    seconds = (test.duration ?? 0) / 1000,
  } = test.measured ?? {};
  return {
    suite,
    case: rest.join(', '),
    outcome,
    passed,
    failed,
    seconds: Math.round(seconds * 10) / 10,
    ...(note ? { note } : {}),
  };
}

function firstWords(text) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > longestNote ? `${line.slice(0, longestNote)}…` : line;
}

function print(rows) {
  const width = Math.max(...rows.map((row) => row.case.length));
  for (const suite of new Set(rows.map((row) => row.suite))) {
    const own = rows.filter((row) => row.suite === suite);
    const sum = (key) => own.reduce((total, row) => total + row[key], 0);
    const passing = own.filter(({ outcome }) => outcome === 'pass').length;
    const checks = `${sum('passed')} checks passed, ${sum('failed')} failed`;
    console.log(`  ${suite}: ${passing} of ${own.length}; ${checks}; ${sum('seconds').toFixed(1)} s`);
    for (const row of own) {
      const numbers = `${String(row.passed).padStart(3)} /${String(row.failed).padStart(2)} ${row.seconds.toFixed(1).padStart(5)} s`;
      console.log(`    ${row.outcome}  ${row.case.padEnd(width)}  ${numbers}  ${row.note ?? ''}`.trimEnd());
    }
  }
}
