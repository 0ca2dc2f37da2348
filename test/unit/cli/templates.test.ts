import assert from 'node:assert/strict';
import { CliUnderTest, everything, fixture } from './cliRun';

describe('cli, templates and completion', function () {
  this.timeout(60_000);
  let cli: CliUnderTest;
  let config: string;

  before(async () => {
    cli = await CliUnderTest.build();
    config = await cli.config({ everything, shelf: fixture('shelf.mjs'), absent: { command: '/none/at/all' } });
  });
  after(() => cli?.dispose());

  const expansions: [string, string[], string][] = [
    [
      'a listed name',
      ['shelf', 'book', '{"topic":"crime","title":"Gaudy Night"}'],
      'shelf://books/crime/Gaudy%20Night',
    ],
    ['a listed template', ['shelf', 'shelf://books/{topic}/{title}', '{"topic":"é"}'], 'shelf://books/%C3%A9/'],
    [
      'a template that is not listed, with nothing started',
      ['absent', 'a:{b}{/c*}', '{"b":1,"c":["x",null]}'],
      'a:1/x',
    ],
    [
      'numbers, truth values, objects and null',
      ['absent', '{?a,b,c*,d}', '{"a":0,"b":true,"c":{"e":1},"d":null}'],
      '?a=0&b=true&e=1',
    ],
    [
      'variables called like what every object inherits',
      ['absent', '{?__proto__,constructor}', '{"__proto__":"a","constructor":"b"}'],
      '?__proto__=a&constructor=b',
    ],
    ['a template without values', ['absent', 'a://{b}'], 'a://'],
  ];
  for (const [what, operands, uri] of expansions) {
    it(`expands ${what}`, async () => {
      const { code, stdout, stderr } = await cli.run('--config', config, 'expand', ...operands, '--json');
      assert.deepEqual([JSON.parse(stdout), stderr, code], [{ uri }, '', 0]);
    });
  }

  const completions: [string, string[], string[]][] = [
    ['a prompt', ['everything', 'prompt', 'completable-prompt', 'department', 'S'], ['Sales', 'Support']],
    [
      'a prompt by the arguments given before',
      ['everything', 'prompt', 'completable-prompt', 'name', '', '{"department":"Sales"}'],
      ['David', 'Eve', 'Frank'],
    ],
    ['a template by its URI template', ['shelf', 'template', 'shelf://books/{topic}/{title}', 'topic', 'c'], ['crime']],
    [
      'a template by its name',
      ['shelf', 'template', 'book', 'title', '', '{"topic":"travel"}'],
      ['Eothen', 'The Valleys of the Assassins'],
    ],
  ];
  for (const [what, operands, values] of completions) {
    it(`completes an argument of ${what}`, async () => {
      const { code, stdout, stderr } = await cli.run('--config', config, 'complete', ...operands, '--json');
      const { completion } = JSON.parse(stdout) as { completion: { values: string[] } };
      assert.deepEqual([completion.values, stderr, code], [values, '', 0]);
    });
  }

  const failures: [string, string[], RegExp][] = [
    ['a malformed template', ['expand', 'absent', 'a://{b', '{}'], /^absent: TEMPLATE_INVALID: .*never closed/],
    ['a template by an unknown name', ['expand', 'shelf', 'film'], /^shelf: RESOURCE_UNKNOWN: .*"film"/],
    ['a template of an unknown server', ['expand', 'nobody', '{a}'], /^nobody: SERVER_UNKNOWN: /],
    ['a value within a list', ['expand', 'absent', '{a}', '{"a":[["x"]]}'], /^absent: ARGUMENTS_INVALID: .*"a"/],
    [
      'a list where a prefix is asked for',
      ['expand', 'absent', '{a:2}', '{"a":["x"]}'],
      /^absent: ARGUMENTS_INVALID: /,
    ],
    ['completion of a tool', ['complete', 'absent', 'tool', 'x', 'y', 'z'], /^absent: ARGUMENTS_INVALID: .*"tool"/],
    [
      'a context that is not text',
      ['complete', 'absent', 'prompt', 'x', 'y', 'z', '{"a":1}'],
      /ARGUMENTS_INVALID: .*"a"/,
    ],
  ];
  for (const [what, args, expected] of failures) {
    it(`says why there is no URI or value: ${what}`, async () => {
      const { code, stdout, stderr } = await cli.run('--config', config, ...args);
      assert.match(stderr, expected);
      assert.deepEqual([stdout, code], ['', 1]);
    });
  }
});
