import assert from 'node:assert/strict';
import { PorticoError } from '../../../../src/base/errors';
import type { TemplateValue } from '../../../../src/core/catalog/catalogTypes';
import { expand, variables } from '../../../../src/core/catalog/uriTemplates';
import sections from '../../../fixtures/uriTemplates.json';

describe('URI templates', () => {
  for (const { section, values, expansions } of sections) {
    describe(`of RFC 6570, section ${section}`, () => {
      for (const [template, expected] of Object.entries(expansions)) {
        it(`expand ${template}`, () => {
          assert.equal(expand(template, values), expected);
        });
      }
    });
  }

  const expansions: [string, string, Record<string, TemplateValue | undefined>, string][] = [
    ['leaves out what has no value', 'a{?x,y}{/z}', { x: undefined, z: [] }, 'a'],
    ['leaves out an object without members', '{?x}{?x*}{#x}', { x: {} }, ''],
    ['takes a value for its name only', '{constructor}{__proto__}x', {}, 'x'],
    ['names every empty value as the operator does', '{;a*}{?a*,b}', { a: ['', 'x'], b: '' }, ';a;a=x?a=&a=x&b='],
    ['names every empty member as the operator does', '{;a*}{?a*}{+a*}', { a: { k: '' } }, ';k?k=k='],
    ['takes one text for a list', '{/a*}', { a: 'x/y' }, '/x%2Fy'],
    ['encodes letters of any script', '{a}{+a}', { a: 'é漢𝄞' }, '%C3%A9%E6%BC%A2%F0%9D%84%9E'.repeat(2)],
    ['encodes names of any script', '{?a*}', { a: { 'é b': 'x' } }, '?%C3%A9%20b=x'],
    ['keeps the marks that are unreserved, and no other', '{a}', { a: "-._~!'()*" }, '-._~%21%27%28%29%2A'],
    [
      'keeps reserved characters where asked to',
      '{+a}{#a}',
      { a: ":/?#[]@!$&'()*+,;=" },
      ":/?#[]@!$&'()*+,;=#:/?#[]@!$&'()*+,;=",
    ],
    ['keeps triplets where reserved characters are kept', '{+a}{#a}{a}', { a: '%20%2f' }, '%20%2f#%20%2f%2520%252f'],
    ['encodes a percent sign that is no triplet', '{+a}{#a}', { a: '%4 100%zz' }, '%254%20100%25zz#%254%20100%25zz'],
    ['keeps percent-encoded names as they are', '{?a%20b}', { 'a%20b': '1' }, '?a%20b=1'],
    ['cuts characters, not halves', '{a:1}{a:2}{+a:1}', { a: '𝄞x' }, '%F0%9D%84%9E%F0%9D%84%9Ex%F0%9D%84%9E'],
    ['cuts beside a triplet, not inside it', '{+a:2}{a:2}', { a: '%C3%A9b%20' }, '%C3%A9b%25C'],
    ['replaces half of a surrogate pair', '{a}{+a}', { a: 'x\ud834y' }, 'x%EF%BF%BDyx%EF%BF%BDy'],
    ['encodes literals, and keeps what may stand there', 'ü b%20%{a}"', { a: '1' }, '%C3%BC%20b%20%251%22'],
    ['knows the same variable in several forms', '{a:2}{/a}{?a,a:1}', { a: 'abc' }, 'ab/abc?a=abc&a=a'],
    ['keeps case and dots', 'KB://Docs/../{a.b}', { 'a.b': 'X' }, 'KB://Docs/../X'],
  ];
  for (const [what, template, values, expected] of expansions) {
    it(what, () => {
      assert.equal(expand(template, values), expected);
    });
  }

  it('list each variable once, in order', () => {
    assert.deepEqual(variables('x{?q,list*}{/id:3,q}{#id:10}{a.b_1%20}'), [
      { name: 'q', explode: false },
      { name: 'list', explode: true },
      { name: 'id', explode: false, prefix: 10 },
      { name: 'a.b_1%20', explode: false },
    ]);
    assert.deepEqual(variables('{a:3}{a}{b}{b*}'), [
      { name: 'a', explode: false },
      { name: 'b', explode: true },
    ]);
    assert.deepEqual(variables('x://none'), []);
  });

  const malformed = [
    ...['{', 'a{b', 'a}b', '{{a}}', '{a{b}}', '{}', '{?}', '{a,}', '{,a}', '{a,,b}', '{/id*', '/id*}', '{a}}'],
    ...['{=a}', '{,a}', '{!a}', '{@a}', '{|a*}', '{$a}', '{~a}', '{/?a}', '{??a}', '{*a?}', '{a+}', '{ a}', '{a }'],
    ...['{a b}', '{a-b}', '{é}', '{.a.}', '{a..b}', '{a%2}', '{a:0}', '{a:01}', '{a:10000}', '{a:b}', '{a:}', '{a:2*}'],
    ...['{a*:2}', '{a=x}', '{?empty|foo=none}', '{-prefix|/-/|var}', '{a\n}'],
  ];
  for (const template of malformed) {
    it(`refuse ${JSON.stringify(template)}`, () => {
      for (const read of [() => expand(template, { a: '1' }), () => variables(template)]) {
        assert.throws(
          read,
          (error) =>
            PorticoError.is(error, 'TEMPLATE_INVALID') && /^The URI template .* cannot be read: /s.test(error.message),
        );
      }
    });
  }

  it('quote only the beginning of a long one', () => {
    const isShort = (error: unknown) => PorticoError.is(error, 'TEMPLATE_INVALID') && error.message.length < 800;
    assert.throws(() => variables(`{${'x y'.repeat(100_000)}}`), isShort);
  });

  it('refuse several values for a variable that is cut', () => {
    for (const a of [['x'], { x: 'y' }]) {
      assert.throws(() => expand('{a:2}', { a }), { code: 'ARGUMENTS_INVALID' });
    }
  });

  it('are read in linear time', () => {
    assert.equal(variables('{a}'.repeat(50_000)).length, 1);
    assert.throws(() => variables(`{${'a.'.repeat(50_000)}}`), { code: 'TEMPLATE_INVALID' });
    assert.equal(expand('{'.padEnd(50_001, 'a') + '}', {}), '');
  });
});
