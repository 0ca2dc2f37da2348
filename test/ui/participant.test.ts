import assert from 'node:assert/strict';
import { lastNonce, nonceLog, nonceServer } from './driver/nonces';
import { realServer } from './driver/servers';
import type { ModelRequest } from './driver/scriptedModel';
import { until } from './driver/until';
import { Workbench } from './driver/workbench';

const nonce = { tool: 'nonces_nonce', args: { about: 'the tide at noon' } };

describe('@portico', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({
      settings: { 'portico.servers': { nonces: nonceServer(), everything: realServer('everything', 'stdio') } },
    });
    await workbench.openPortico();
    await workbench.tree.openView('Activity');
    for (const key of ['nonces', 'everything']) {
      await workbench.tree.action(`${key}, stopped`, 'Start Server');
      await workbench.tree.row(`${key}, ready`).waitFor();
    }
    await workbench.chat.open('ask');
  });
  after(() => workbench.close());
  beforeEach(() => workbench.chat.clear());

  it('asks with the whole arguments in sight, and answers with what the server made', async () => {
    const { chat, model, tree } = workbench;
    const before = nonceLog(workbench).length;
    await model.script({ call: [nonce] }, { say: 'It says {{result}}.' });
    await chat.send('@portico what is the nonce?');
    await chat.confirmationButton('Allow Once').waitFor();
    for (const text of ['Allow nonce of nonces?', '"about": "the tide at noon"']) {
      await chat.responses.last().filter({ hasText: text }).waitFor();
    }
    assert.equal(await workbench.page.locator('.monaco-dialog-box').count(), 0);
    await tree.row('nonce, waits for you, server nonces').waitFor();
    assert.equal(nonceLog(workbench).length, before);

    await chat.confirmationButton('Allow Once').click();
    const answer = await chat.waitForAnswer(/It says nonce/);
    assert.ok(answer.includes(lastNonce(workbench)), answer);
    assert.match(answer, /Allowed once\./);
    assert.equal(nonceLog(workbench).length, before + 1);
    assert.match(lastMessage((await model.requests())[1]), new RegExp(lastNonce(workbench)));
    await tree.row('nonce, done, server nonces, by @portico').waitFor();
  });

  it('answers a question once, whichever button is pressed later', async () => {
    const { chat, model, notifications } = workbench;
    await model.script({ call: [nonce] }, { say: 'Done.' });
    await chat.send('@portico once');
    await chat.confirmationButton('Allow Once').click();
    await chat.waitForAnswer('Done.');
    await chat.confirmationButton('Always Allow Tool').click();
    await notifications.waitFor('This question was already answered: Allowed once.');
    await model.script({ call: [nonce] }, { say: 'Then not.' });
    await chat.send('@portico twice');
    await chat.approvalButton('Deny', 0).click();
    await chat.waitForAnswer('Then not.');
  });

  it('tells the model that a call was denied', async () => {
    const { chat, model, tree } = workbench;
    const before = nonceLog(workbench).length;
    await model.script({ call: [nonce] }, { say: 'Then not.' });
    await chat.send('@portico try');
    await chat.confirmationButton('Deny').click();
    assert.match(await chat.waitForAnswer('Then not.'), /Denied\./);
    assert.equal(nonceLog(workbench).length, before);
    assert.match(lastMessage((await model.requests())[1]), /The person denied this call/);
    await tree.row('nonce, denied, server nonces').waitFor();
  });

  it('tells the model that a result is an error', async () => {
    const { chat, model, tree } = workbench;
    await model.script({ call: [{ tool: 'nonces_fail' }] }, { say: 'It failed.' });
    await chat.send('@portico fail');
    await chat.confirmationButton('Allow Once').click();
    await chat.waitForAnswer('It failed.');
    const heard = lastMessage((await model.requests())[1]);
    assert.match(heard, /The tool reported an error/);
    assert.match(heard, new RegExp(lastNonce(workbench)));
    await tree.row('fail, tool error, server nonces').waitFor();
  });

  it('does not ask again in a session, and the next turn knows the one before', async () => {
    const { chat, model } = workbench;
    await model.script({ call: [nonce] }, { say: 'One.' });
    await chat.send('@portico first question');
    await chat.confirmationButton('Allow in This Session').click();
    assert.match(await chat.waitForAnswer('One.'), /Allowed in this session\./);
    const first = lastNonce(workbench);

    await model.script({ call: [nonce] }, { say: 'Two.' });
    await chat.send('@portico second question');
    await chat.waitForAnswer('Two.');
    assert.notEqual(lastNonce(workbench), first);
    const heard = JSON.stringify((await model.requests())[0]?.messages);
    for (const text of ['first question', first, 'One.', 'second question']) {
      assert.ok(heard.includes(text), `${text} in ${heard}`);
    }
  });

  it('stops a call when the person cancels', async () => {
    const { chat, model, tree } = workbench;
    await model.script({ call: [{ tool: 'nonces_wait' }] }, { say: 'Never said.' });
    await chat.send('@portico wait');
    await chat.confirmationButton('Allow Once').click();
    await tree.row('wait, running, server nonces').waitFor();
    await chat.input.click();
    await workbench.page.keyboard.press('ControlOrMeta+Escape');
    await tree.row('wait, cancelled, server nonces').waitFor();
    await until('the server to hear of it', () => nonceLog(workbench).at(-1) === 'cancelled');
    assert.equal((await model.requests()).length, 1);
    assert.doesNotMatch(await chat.responses.last().innerText(), /Never said/);
  });

  it('ends after twenty rounds of calls', async () => {
    const { chat, model } = workbench;
    const echo = { tool: 'everything_echo', args: { message: 'again' } };
    await model.script(...Array.from({ length: 25 }, () => ({ call: [echo] })));
    await chat.send('@portico again and again');
    await chat.confirmationButton('Allow in This Session').click();
    for (let round = 1; round <= 20; round += 1) {
      await until(`round ${round}`, async () => (await model.requests()).length >= round);
    }
    await chat.waitForAnswer('Stopped after 20 rounds of tool calls');
    const requests = await model.requests();
    assert.equal(requests.length, 20);
    assert.match(lastMessage(requests[19]), /Echo: again/);
  });

  it('asks no model where nothing was asked', async () => {
    const { chat, model } = workbench;
    await model.script({ say: 'The model was asked.' });
    await chat.send('@portico ');
    await chat.waitForAnswer('Ask something');
    assert.deepEqual(await model.requests(), []);
  });

  for (const [command, expected] of [
    ['tools', ['everything', 'get-sum', 'nonces', 'nonce']],
    ['resources', ['everything', 'demo://resource/static/document/architecture.md']],
    ['prompts', ['everything', 'args-prompt']],
  ] as const) {
    it(`lists ${command} without the model`, async () => {
      const { chat, model } = workbench;
      await model.script({ say: 'The model was asked.' });
      await chat.send(`@portico /${command}`);
      const answer = await chat.waitForAnswer(expected[1]);
      assert.deepEqual(
        expected.filter((text) => !answer.includes(text)),
        [],
        answer,
      );
      assert.deepEqual(await model.requests(), []);
    });
  }
});

function lastMessage(request: ModelRequest | undefined): string {
  return JSON.stringify(request?.messages.at(-1));
}
