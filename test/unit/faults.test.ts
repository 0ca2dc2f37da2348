import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface FaultList {
  /** Areas that the product has; their A and B entries must have tests. */
  readonly built: readonly string[];
  readonly faults: readonly {
    readonly number: number;
    /** A must hold, B should hold, C is good to have. */
    readonly mark: 'A' | 'B' | 'C';
    readonly area: string;
    readonly title: string;
  }[];
}

const { built, faults } = JSON.parse(readFileSync('test/fixtures/faults.json', 'utf8')) as FaultList;
const tested = readTestedNumbers();

describe('faults that other hosts have had', () => {
  it('have unique numbers and known areas', () => {
    assert.equal(new Set(faults.map(({ number }) => number)).size, faults.length);
    assert.deepEqual(
      built.filter((area) => !faults.some((fault) => fault.area === area)),
      [],
    );
  });

  it('have a test each, where the area is built', () => {
    const due = faults.filter(({ mark, area }) => mark !== 'C' && built.includes(area));
    assert.deepEqual(
      due.filter(({ number }) => !tested.has(number)).map(({ number, title }) => `fault ${number}: ${title}`),
      [],
    );
  });

  it('are only tested under numbers that exist', () => {
    const known = new Set(faults.map(({ number }) => number));
    assert.deepEqual(
      [...tested].filter((number) => !known.has(number)),
      [],
    );
  });
});

/** Numbers in the titles of tests and suites: `it('fault 16: …'`. */
function readTestedNumbers(): Set<number> {
  const paths = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.test.ts'));
  return new Set(
    paths.flatMap((path) =>
      [...readFileSync(join('test', path), 'utf8').matchAll(/\b(?:it|describe)\(\s*['"`]fault (\d+): /g)].map(
        ([, number]) => Number(number),
      ),
    ),
  );
}
