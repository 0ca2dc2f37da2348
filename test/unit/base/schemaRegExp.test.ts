import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { longestWithin, patternShape } from '../../../src/base/patternEffort';
import { checkable, hearingSkips, schemaRegExp } from '../../../src/base/schemaRegExp';

const freely = (): void => undefined;

/** Whether an expression is found in a text, and what was not applied. */
function found(source: string, text: string): { readonly found: boolean; readonly skipped: readonly string[] } {
  const skipped: string[] = [];
  return {
    found: hearingSkips(
      (it) => skipped.push(it),
      freely,
      () => schemaRegExp(source).test(text),
    ),
    skipped,
  };
}

describe('patterns of schemas', function () {
  // Each would take minutes, hours or years by backtracking.
  this.timeout(10_000);
  for (const [source, text] of [
    ['^(a+)+$', `${'a'.repeat(40)}!`],
    ['^((a*)|b)*$', `${'a'.repeat(40)}!`],
    ['a*a*a*a*a*a*a*a*a*a*b', 'a'.repeat(200)],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', `${'a'.repeat(40)}!`],
    [`${'a?'.repeat(30)}${'a'.repeat(30)}b`, 'a'.repeat(30)],
    [`^${'(a|aa)'.repeat(40)}$`, `${'a'.repeat(50)}!`],
    ['^(a{0,30}){0,30}$', `${'a'.repeat(60)}!`],
    ['^(.*,){12}P', '1,'.repeat(40)],
    ['^(?:(?:(?:x+)y?)*z?)*$', `${'x'.repeat(40)}!`],
    ['\\s+$', `${' '.repeat(30_000)}x`],
  ] as const) {
    it(`${source.slice(0, 40)} is refused a text of ${text.length} characters in linear time`, () => {
      deepEqual(found(source, text), { found: false, skipped: [] });
    });
  }

  for (const [source, good, bad] of [
    ['^[a-z0-9]+(-[a-z0-9]+)*$', 'a-long-name-of-words', 'a--b'],
    ['^(\\d{1,3}\\.){3}\\d{1,3}$', '127.0.0.1', '127.0.1'],
    ['^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$', `${'ann'.repeat(50)}@example.com`, 'ann.example.com'],
    ['^\\p{Lu}\\u{1F600}\\/$', 'Ä😀/', 'ä😀/'],
    ['^(?=.*\\d)(?=.*[a-z]).{8,}$', 'abcdefg1', 'abcdefgh'],
    ['^(["\']).*\\1$', '"quoted"', '"quoted\''],
    ['(?i)^yes$', 'YES', 'NO'],
    ['^(?P<year>\\d{4})-\\d\\d$', '2026-11', '26-11'],
    ['^[\\w-.]+$', 'a-b.c', 'a b'],
  ] as const) {
    it(`${source} tells ${good} from ${bad}`, () => {
      deepEqual(found(source, good), { found: true, skipped: [] });
      deepEqual(found(source, bad), { found: false, skipped: [] });
    });
  }

  it('says which expressions were not applied, and lets their texts pass', () => {
    deepEqual(found('^(a+)+\\1$', 'b'), {
      found: true,
      skipped: ['the pattern “^(a+)+\\1$”, which cannot be run safely'],
    });
    deepEqual(found('(', 'b'), { found: true, skipped: ['the pattern “(”, which cannot be run safely'] });
    deepEqual(found('^(?=a*)(?=b*)c', 'd'.repeat(1_000)), {
      found: true,
      skipped: ['the pattern “^(?=a*)(?=b*)c” for a text of more than 377 characters'],
    });
  });

  it('matches nothing that its check may no longer wait for', () => {
    const over = (): never => {
      throw new Error('over');
    };
    throws(() => hearingSkips(freely, over, () => schemaRegExp('a').test('a')), /over/);
  });

  it('knows which expressions it can apply', () => {
    deepEqual(['^[A-Z]{3}$', '(a|b)*', '(?=a)(b|c)?', '(?=a)(b|c)*', '(', '(?:a{1000}b{999,1000}){9}'].map(checkable), [
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('effort of a pattern', () => {
  for (const [source, shape] of [
    ['^abc$', { repetitions: 0, ways: 1, nested: false }],
    ['abc', { repetitions: 1, ways: 1, nested: false }],
    ['^a|b', { repetitions: 1, ways: 2, nested: false }],
    ['^[*+?]\\*\\(a{3}(?:bc){2}$', { repetitions: 0, ways: 1, nested: false }],
    ['^a*b+?c{2,}', { repetitions: 3, ways: 1, nested: false }],
    ['^a?b{1,4}(c|d|e)', { repetitions: 0, ways: 24, nested: false }],
    ['^(a?b)?$', { repetitions: 0, ways: 4, nested: false }],
    ['^(a?b){2}$', { repetitions: 0, ways: 2, nested: true }],
    ['^((?:a|b)c)+$', { repetitions: 1, ways: 2, nested: true }],
    ['^(a)\\1$', { repetitions: 1, ways: 1, nested: false }],
  ] as const) {
    it(`is read of ${source}`, () => {
      const { size, ...rest } = patternShape(source);
      deepEqual(rest, shape);
      ok(size > 0);
    });
  }

  it('counts what is repeated as often as it stands there', () => {
    ok(patternShape('(?:a{100}){10}').size >= 1_000);
    equal(longestWithin(patternShape('^a+b*$'), 1_000_000), 447);
  });
});
