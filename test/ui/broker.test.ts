import assert from 'node:assert/strict';
import { lastNonce, nonceLog, nonceServer } from './driver/nonces';
import { realServer } from './driver/servers';
import { Workbench } from './driver/workbench';

describe('broker tools', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({
      settings: {
        'portico.servers': { nonces: nonceServer(), everything: realServer('everything', 'stdio') },
        'portico.chat.publish': 'off',
        // The widest "always allow" that the editor has.
        'chat.tools.global.autoApprove': true,
      },
    });
    await workbench.openPortico();
    await workbench.tree.openView('Activity');
    for (const key of ['nonces', 'everything']) {
      await workbench.tree.action(`${key}, stopped`, 'Start Server');
      await workbench.tree.row(`${key}, ready`).waitFor();
    }
    await workbench.chat.open();
  });
  after(() => workbench.close());
  beforeEach(() => workbench.chat.clear());

  it('find, describe and call a tool, and Portico asks once before the call', async () => {
    const { chat, model, page, tree } = workbench;
    const before = nonceLog(workbench).length;
    await model.script(
      { call: [{ tool: 'portico_search_tools', args: { query: 'nonce' } }] },
      { call: [{ tool: 'portico_describe_tool', args: { name: 'nonces_nonce' } }] },
      { call: [{ tool: 'portico_call_tool', args: { name: 'nonces_nonce', arguments: { about: 'the tide' } } }] },
      { say: 'It says {{result}}.' },
    );
    await chat.send('What is the nonce?');
    await workbench.modalButton('Allow Once').waitFor();
    const question = await workbench.modalText();
    assert.match(question, /chat \(broker\) wants to run nonce of nonces\./);
    assert.match(question, /"about": "the tide"/);
    assert.equal(nonceLog(workbench).length, before);
    await tree.row('nonce, waits for you, server nonces').waitFor();

    await workbench.screenshot('approval-dialog');
    await workbench.answerByKeyboard('Show Arguments');
    await workbench.waitForEditorText('"about": "the tide"');
    assert.equal(nonceLog(workbench).length, before);
    await workbench.quickInput.pick('Allow Once');
    const answer = await chat.waitForAnswer(/It says nonce/);
    assert.ok(answer.includes(lastNonce(workbench)), answer);
    assert.equal(nonceLog(workbench).length, before + 1);
    assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
    await tree.row('nonce, done, server nonces, by chat (broker)').waitFor();

    const requests = (await model.requests()).filter(({ tools }) => tools.length > 0);
    const names = requests[0]?.tools.map(({ name }) => name) ?? [];
    assert.deepEqual(names.filter((name) => /^(portico|mcp)_/.test(name)).sort(), [
      'portico_call_tool',
      'portico_describe_tool',
      'portico_read_resource',
      'portico_search_tools',
    ]);
    assert.match(JSON.stringify(requests[1]?.messages.at(-1)), /nonces_nonce/);
    assert.match(JSON.stringify(requests[2]?.messages.at(-1)), /inputSchema/);
    assert.match(JSON.stringify(requests[3]?.messages.at(-1)), new RegExp(lastNonce(workbench)));
  });

  it("ask about another server's tool, whatever the editor or the person allowed", async () => {
    const { chat, model, quickInput, tree } = workbench;
    const call = (name: string, args: object) => ({
      call: [{ tool: 'portico_call_tool', args: { name, arguments: args } }],
    });
    await model.script(
      call('nonces_nonce', {}),
      call('nonces_fail', {}),
      call('everything_echo', { message: 'hello' }),
      { say: 'Done.' },
    );
    await chat.send('Do three things.');
    await workbench.answer('Allow in This Session');
    await quickInput.pick('Allow All Tools of nonces in This Session');
    // The second call is covered by that answer, the third is not.
    await workbench.modalButton('Deny').waitFor();
    assert.match(await workbench.modalText(), /wants to run echo of everything\./);
    await tree.row('fail, tool error, server nonces').waitFor();
    await workbench.answer('Deny');
    await chat.waitForAnswer('Done.');
    await tree.row('echo, denied, server everything').waitFor();
    const requests = (await model.requests()).filter(({ tools }) => tools.length > 0);
    assert.match(JSON.stringify(requests[2]?.messages.at(-1)), /The tool reported an error/);
    assert.match(JSON.stringify(requests[3]?.messages.at(-1)), /denied by the person/);
  });
});
