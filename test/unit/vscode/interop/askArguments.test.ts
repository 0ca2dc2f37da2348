import assert from 'node:assert/strict';
import {
  argumentRows,
  type ArgumentRowsInput,
  firstChoice,
  narrowed,
  toAnswer,
} from '../../../../src/vscode/interop/argumentRows';
import { type Step, type StepAnswer, walkSteps } from '../../../../src/vscode/interop/argumentSteps';
import { commandOutput } from '../../../../src/vscode/interop/commandOutput';

const field = (name: string, required: boolean) => ({ name, required });
const none = { values: [], more: false };

function input(more: Partial<ArgumentRowsInput> = {}): ArgumentRowsInput {
  return {
    field: field('city', true),
    typed: '',
    kept: undefined,
    suggestions: none,
    texts: [],
    commands: false,
    ...more,
  };
}

/** Answers the steps in order and notes what was asked. */
function scripted(...answers: StepAnswer[]) {
  const asked: Step[] = [];
  const ask = async (step: Step): Promise<StepAnswer> => {
    asked.push(step);
    return answers.shift() ?? { kind: 'cancel' };
  };
  return { asked, ask };
}
const value = (text: string): StepAnswer => ({ kind: 'value', value: text });
const skip: StepAnswer = { kind: 'skip' };

describe('argument steps', () => {
  it('fault 59: skipped arguments are absent, and a deliberate empty text is sent', async () => {
    const both = [field('first', false), field('second', false)];
    assert.deepEqual(await walkSteps(both, {}, scripted(skip, skip).ask), {});
    assert.deepEqual(await walkSteps(both, {}, scripted(value(''), skip).ask), { first: '' });
    assert.deepEqual(await walkSteps([field('a', true), field('b', false)], {}, scripted(value('x'), skip).ask), {
      a: 'x',
    });
    assert.deepEqual(await walkSteps([], {}, scripted().ask), {});
  });

  it('fault 59: a cancel in any step gives nothing', async () => {
    const both = [field('first', true), field('second', false)];
    assert.equal(await walkSteps(both, {}, scripted({ kind: 'cancel' }).ask), undefined);
    assert.equal(await walkSteps(both, {}, scripted(value('x'), { kind: 'cancel' }).ask), undefined);
  });

  it('fault 59: Enter gives no empty text for a required argument, and skips an optional one', () => {
    const hasEmpty = (of: ArgumentRowsInput) => argumentRows(of).some((one) => 'value' in one && one.value === '');
    const texts = [{ label: 'Active File', description: 'a.txt', value: 'text' }];
    const required = input({ texts, commands: true });
    assert.equal(firstChoice(required, argumentRows(required)), undefined);
    assert.equal(toAnswer(undefined, ''), undefined);
    assert.equal(hasEmpty(required), false);
    assert.equal(hasEmpty(input({ kept: '' })), false);
    const optional = input({ field: field('city', false) });
    const row = firstChoice(optional, argumentRows(optional));
    assert.deepEqual(toAnswer(row, ''), { kind: 'skip' });
    const empty = argumentRows(optional).find((one) => one.kind === 'value' && one.id === 'empty');
    assert.deepEqual(toAnswer(empty, ''), { kind: 'value', value: '' });
  });

  it('goes back with what was there, and knows the other values', async () => {
    const { ask, asked } = scripted(value('Kyoto'), { kind: 'back', typed: 'ha' }, value('Lisbon'), value('sea'));
    const given = await walkSteps([field('city', true), field('style', true)], {}, ask);
    assert.deepEqual(given, { city: 'Lisbon', style: 'sea' });
    assert.deepEqual(
      asked.map(({ number, typed, kept, given: others }) => [number, typed, kept, others]),
      [
        [1, '', undefined, {}],
        [2, '', undefined, { city: 'Kyoto' }],
        [1, '', 'Kyoto', {}],
        [2, 'ha', undefined, { city: 'Lisbon' }],
      ],
    );
  });

  it('keeps names that objects inherit', async () => {
    const given = await walkSteps([field('__proto__', true)], {}, scripted(value('x')).ask);
    assert.deepEqual(Object.entries(given ?? {}), [['__proto__', 'x']]);
  });
});

describe('argument rows', () => {
  it('takes no suggestion that nobody chose', () => {
    const suggestions = { values: ['Kyoto', 'Lisbon'], more: false };
    const required = input({ suggestions });
    assert.equal(firstChoice(required, argumentRows(required)), undefined);
    const again = input({ suggestions, kept: 'two\nlines' });
    assert.equal(firstChoice(again, argumentRows(again))?.value, 'two\nlines');
  });

  it('takes what was typed unless another row is chosen', () => {
    const typed = input({ typed: 'ky', suggestions: { values: ['Kyoto'], more: false } });
    const rows = argumentRows(typed);
    assert.deepEqual(toAnswer(firstChoice(typed, rows), 'ky'), { kind: 'value', value: 'ky' });
    assert.deepEqual(toAnswer(rows.at(-1), 'ky'), { kind: 'value', value: 'Kyoto' });
    // Typed faster than the list could follow.
    assert.deepEqual(toAnswer({ kind: 'skip', id: 'skip', label: '', description: '' }, 'ky'), {
      kind: 'value',
      value: 'ky',
    });
  });

  it('offers a value once, and narrows suggestions until the next ones come', () => {
    const rows = argumentRows(input({ typed: 'Kyoto', suggestions: { values: ['Kyoto'], more: false } }));
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['separator', 'value'],
    );
    assert.deepEqual(narrowed({ values: ['Kyoto', 'Lisbon'], more: true }, 'KY'), { values: ['Kyoto'], more: true });
  });

  it('shows a server’s text as one inert line and gives it as it is', () => {
    const nasty = '$(error) [x](command:y)\nline';
    const [, row] = argumentRows(input({ suggestions: { values: [nasty], more: false } }));
    assert.equal(row?.label, '$ (error) [x] (command:y) line');
    assert.deepEqual(toAnswer(row, ''), { kind: 'value', value: nasty });
  });
});

describe('command output', () => {
  const { signal } = new AbortController();
  const node = (code: string) => `${JSON.stringify(process.execPath)} -e ${JSON.stringify(code)}`;

  it('gives what a command prints, without its last line break', async () => {
    assert.equal(await commandOutput(node('console.log(6 * 7)'), { cwd: undefined, signal }), '42');
  });

  it('says why there is no output', async () => {
    const options = { cwd: undefined, signal };
    await assert.rejects(commandOutput(node('console.error(9); process.exit(3)'), options), /ended with code 3: 9/);
    const endless = node('setInterval(() => console.log(1), 5)');
    await assert.rejects(commandOutput(endless, { ...options, maxLength: 10 }), { code: 'MESSAGE_TOO_LARGE' });
    await assert.rejects(commandOutput(endless, { ...options, timeoutMs: 300 }), { code: 'TIMEOUT' });
    await assert.rejects(commandOutput(endless, { ...options, signal: AbortSignal.timeout(300) }), {
      code: 'CANCELLED',
    });
  });
});
