import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliUnderTest, fixture } from './cliRun';

const noModel = /wants a language model, and there is none here: .* the command line has none\. Use it in the editor/;

describe('cli: servers that want more than a command line has', function () {
  this.timeout(60_000);
  let cli: CliUnderTest;
  before(async () => {
    cli = await CliUnderTest.build();
  });
  after(() => cli?.dispose());

  it('a model in the stateless era: says that there is none, and where there are', async () => {
    const file = await cli.config({ wants: fixture('sampling.mjs', 'stateless') });
    const { code, stdout, stderr } = await cli.run('--config', file, 'call', 'wants', 'haiku');
    assert.match(stderr, /^wants: NO_MODEL: "wants" /);
    assert.match(stderr, noModel);
    assert.deepEqual([code, stdout], [1, '']);
  });

  it('a model in the session era: tells the server, which tells the person', async () => {
    const file = await cli.config({ wants: fixture('sampling.mjs') });
    const { stdout } = await cli.run('--config', file, 'call', 'wants', 'haiku');
    assert.match(stdout, noModel);
  });

  it('a model before it begins: says the same', async () => {
    const error = { code: -32021, message: 'No', data: { requiredCapabilities: { sampling: {} } } };
    const file = await cli.config({ wants: fixture('scripted.mjs', JSON.stringify({ 'tools/call': [{ error }] })) });
    const { code, stderr } = await cli.run('--config', file, 'call', 'wants', 'run');
    assert.match(stderr, /^wants: NO_MODEL: /);
    assert.match(stderr, noModel);
    assert.equal(code, 1);
  });

  it('a page for ever: names the server, the page and the next step', async () => {
    const file = await cli.config({ wants: fixture('asking.mjs') });
    const answers = join(cli.folder, 'answers.json');
    await writeFile(answers, JSON.stringify({ elicitation: Array.from({ length: 9 }, () => ({ action: 'accept' })) }));
    const pages = [{ mode: 'url', message: 'Pay', url: 'https://bank.example/pay', elicitationId: '1' }];
    const args = JSON.stringify({ pages, times: 99 });
    const { code, stderr } = await cli.run('--config', file, '--answers', answers, 'call', 'wants', 'locked', args);
    const lines = stderr.trimEnd().split('\n');
    assert.equal(lines.filter((line) => line === '  https://bank.example/pay').length, 3);
    assert.match(
      lines.at(-1) ?? '',
      /^wants: PAGE_REQUIRED: "wants" kept asking for a page at bank\.example .* then try/,
    );
    assert.equal(code, 1);
  });

  it('no list of content: a result that is none is an error', async () => {
    const file = await cli.config({ odd: fixture('oddReplies.mjs') });
    const args = JSON.stringify({ result: { content: 'nope' } });
    const { code, stdout, stderr } = await cli.run('--config', file, 'call', 'odd', 'echo', args);
    assert.match(stderr, /^odd: REPLY_INVALID: "odd" answered tools\/call with "content" that is no list: "nope"\./);
    assert.deepEqual([code, stdout], [1, '']);
  });
});
