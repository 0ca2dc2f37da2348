import { mkdirSync, writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { Reporter } from './reporter.mjs';

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants;
const file = 'out/interop.json';
const longestNote = 160;

/**
 * Prints besides a table per suite with a row per test, and writes them to `out/interop.json` as
 * `[{suite, case, outcome: pass|fail|skip, note?}]`. The note is the test's `note`, or why it failed or was skipped.
 */
export class TableReporter extends Reporter {
  constructor(runner, options) {
    const rows = [];
    // Listens first, so that the counts, which close the output, come after the tables.
    runner.on(EVENT_TEST_PASS, (test) => rows.push(toRow(test, 'pass', test.note)));
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
  return { suite, case: rest.join(', '), outcome, ...(note ? { note } : {}) };
}

function firstWords(text) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > longestNote ? `${line.slice(0, longestNote)}…` : line;
}

function print(rows) {
  const width = Math.max(...rows.map((row) => row.case.length));
  for (const suite of new Set(rows.map((row) => row.suite))) {
    console.log(`  ${suite}`);
    for (const row of rows.filter((one) => one.suite === suite)) {
      console.log(`    ${row.outcome}  ${row.case.padEnd(width)}  ${row.note ?? ''}`.trimEnd());
    }
  }
}
