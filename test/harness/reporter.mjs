import Mocha from 'mocha';

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants;
const slowMilliseconds = 3000;

/** Starts the line that carries a suite's counts as JSON, for the program that started it. */
export const countsMark = '#counts ';

/**
 * Prints what failed in full, what was skipped with its reason, what was slow, and the counts; nothing about the rest.
 * Option `print` takes the lines, `console.log` if absent.
 */
export class Reporter extends Mocha.reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    const print = options.reporterOptions?.print ?? console.log;
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const slow = [];
    runner.on(EVENT_TEST_PASS, (test) => {
      counts.passed++;
      if (test.duration > slowMilliseconds) {
        slow.push(test);
      }
    });
    runner.on(EVENT_TEST_PENDING, (test) => {
      counts.skipped++;
      print(`  skipped: ${test.fullTitle()}${test.reason ? `: ${test.reason}` : ''}`);
    });
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      counts.failed++;
      print(`  FAILED: ${test.fullTitle()}\n${indent(explain(error))}`);
    });
    runner.once(EVENT_RUN_END, () => {
      for (const test of slow.sort((a, b) => b.duration - a.duration).slice(0, 5)) {
        print(`  slow: ${(test.duration / 1000).toFixed(1)} s ${test.fullTitle()}`);
      }
      print(countsMark + JSON.stringify(counts));
    });
  }
}

function explain(error) {
  const stack = error.stack ?? String(error);
  const cause = error.cause ? `\ncaused by ${explain(error.cause)}` : '';
  return (stack.includes(error.message) ? stack : `${error.message}\n${stack}`) + cause;
}

function indent(text) {
  return text.replace(/^/gm, '    ');
}
