import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CliResult, CliUnderTest, fixture } from './cliRun';

const questions = [1, 2, 3].map((number) => ({
  message: `Number ${number}?`,
  requestedSchema: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
}));

describe('cli --answers', function () {
  this.timeout(60_000);
  let cli: CliUnderTest;
  let config: string;

  before(async () => {
    cli = await CliUnderTest.build();
    config = await cli.config({ session: fixture('asking.mjs'), stateless: fixture('asking.mjs', 'stateless') });
  });
  after(() => cli?.dispose());

  const call = async (server: string, params: object, answers?: unknown): Promise<CliResult> => {
    const file = join(cli.folder, 'answers.json');
    await writeFile(file, typeof answers === 'string' ? answers : JSON.stringify(answers ?? {}));
    const flags = answers === undefined ? [] : ['--answers', file];
    return cli.run('--config', config, ...flags, '--json', 'call', server, 'ask', JSON.stringify({ params }));
  };
  const told = ({ stdout }: CliResult): unknown =>
    JSON.parse((JSON.parse(stdout) as { content: { text: string }[] }).content[0]?.text ?? '');

  for (const server of ['session', 'stateless']) {
    it(`are used in order, and used up ones are declined (${server})`, async () => {
      const elicitation = [{ action: 'accept', content: { number: 7 } }, { action: 'cancel' }];
      const result = await call(server, questions, { sampling: [], elicitation });
      assert.deepEqual(told(result), [...elicitation, { action: 'decline' }]);
      assert.equal(result.code, 0);
      assert.deepEqual(result.stderr.trim().split('\n'), [
        `${server}: CANCELLED: It asked “Number 2?”. That was not accepted, as the answer listed for it says.`,
        `${server}: DECLINED: It asked “Number 3?”. That was not accepted, because no answer is listed for it (--answers FILE).`,
      ]);
    });
  }

  it('are not needed: without them every question is declined', async () => {
    assert.deepEqual(told(await call('session', questions.slice(0, 1))), { action: 'decline' });
  });

  it('fill in the defaults of what they do not mention', async () => {
    const properties = { name: { type: 'string', default: 'Ada' }, guests: { type: 'integer', default: 2 } };
    const params = [{ message: 'Who?', requestedSchema: { type: 'object', properties } }];
    const result = await call('session', params, { elicitation: [{ action: 'accept', content: { guests: 3 } }] });
    assert.deepEqual(told(result), { action: 'accept', content: { name: 'Ada', guests: 3 } });
    assert.equal(result.stderr, '');
  });

  for (const server of ['session', 'stateless']) {
    it(`name the page that is to be opened (${server})`, async () => {
      const page = { mode: 'url', message: 'Sign\u001b[31m in', url: 'https://a.example/x', elicitationId: '1' };
      const result = await call(server, [page], { elicitation: [{ action: 'accept' }] });
      assert.deepEqual(told(result), { action: 'accept' });
      assert.equal(
        result.stderr,
        `${server}: PAGE: It asks you to open a page at a.example: “Sign [31m in”.\n  https://a.example/x\n`,
      );
    });
  }

  const misleading: [string, string, RegExp][] = [
    ['letters that pass for others', 'https://аррӏе.com/', /but is xn--80ak6aa92e\.com/],
    ['letters of several scripts', 'https://pаypal.com/', /but is xn--/],
    ['a name before the host', 'https://bank.example@a.example/', /The page is at a\.example/],
    ['a number for a host', 'https://203.0.113.7/', /nothing tells whose it is/],
  ];
  for (const [what, url, reason] of misleading) {
    for (const elicitation of [[{ action: 'accept' }], []]) {
      it(`warn of a page whose address has ${what}, ${elicitation.length > 0 ? 'accepted' : 'declined'}`, async () => {
        const page = { mode: 'url', message: 'Go', url, elicitationId: '1' };
        const { stderr } = await call('session', [page], { elicitation });
        const [, address = '', ...warnings] = stderr.trimEnd().split('\n');
        assert.equal(address, `  ${new URL(url).href}`);
        assert.match(warnings.join(), /^ {2}Take care: /);
        assert.match(warnings.join(), reason);
      });
    }
  }

  it('show no page that must not be opened', async () => {
    const { stderr } = await call('session', [{ mode: 'url', message: 'Go', url: 'javascript:x' }], {
      elicitation: [{ action: 'accept' }],
    });
    assert.equal(stderr, '');
  });

  it('that do not fit are not sent', async () => {
    const result = await call('session', questions.slice(0, 1), {
      elicitation: [{ action: 'accept', content: { number: 'seven' } }],
    });
    const { error } = told(result) as { error: { message: string } };
    assert.match(error.message, /The answer to "session" does not fit and was not sent: number must be integer/);
  });

  const unreadable: [string, unknown, RegExp][] = [
    ['no JSON', '{', /JSON/],
    ['an array', [], /it is no JSON object/],
    ['no list', { elicitation: {} }, /"elicitation" is no array/],
    ['an unknown action', { elicitation: [{ action: 'accept' }, { action: 'maybe' }] }, /answer 2 of "elicitation"/],
    ['content that is no object', { elicitation: [{ action: 'accept', content: 'x' }] }, /answer 1 of "elicitation"/],
  ];
  for (const [what, answers, reason] of unreadable) {
    it(`that are ${what} end the command before anything starts`, async () => {
      const { code, stdout, stderr } = await call('session', questions, answers);
      assert.match(stderr, /^portico: CONFIG_INVALID: The answers in .*answers\.json cannot be read: /);
      assert.match(stderr, reason);
      assert.equal(stdout, '');
      assert.equal(code, 1);
    });
  }

  it('that are not there end the command', async () => {
    const { code, stderr } = await cli.run('--config', config, '--answers', join(cli.folder, 'none'), 'servers');
    assert.match(stderr, /^portico: CONFIG_INVALID: .*ENOENT/);
    assert.equal(code, 1);
  });
});
