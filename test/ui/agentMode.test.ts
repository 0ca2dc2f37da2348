import assert from 'node:assert/strict';
import { lastNonce, nonceLog, nonceServer } from './driver/nonces';
import { realServer } from './driver/servers';
import { Workbench } from './driver/workbench';

const servers = {
  files: realServer('filesystem', '${workspaceFolder}'),
  // Of more than about 88 tools the editor leaves some out; server-everything has too many beside the others.
  memory: realServer('memory'),
  nonces: nonceServer(),
  newest: nonceServer('stateless'),
};

describe('native agent mode', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({
      settings: { 'portico.servers': servers },
      files: { 'harbour.md': 'Three cranes.' },
    });
    await workbench.openPortico();
    await workbench.tree.openView('Activity');
    await workbench.chat.open();
  });
  after(() => workbench.close());

  it('offers the tools of servers that were never seen, under their names, without a question', async () => {
    const { chat, model, tree } = workbench;
    await model.script({ say: 'first' });
    await chat.send('hello');
    await chat.waitForAnswer('first');
    // A second at most is waited for servers that were never seen; list_changed brings what came later.
    for (const key of Object.keys(servers)) {
      await tree.row(`${key}, ready`).waitFor();
    }
    const some = ['files_read_file', 'memory_read_graph', 'nonces_nonce', 'newest_nonce'].map((name) => `mcp_${name}`);
    await model.waitForTools(...some);
    await model.script({ say: 'second' });
    await chat.send('hello again');
    await chat.waitForAnswer('second');
    const names = await chat.offeredTools();
    assert.deepEqual(
      some.filter((name) => !names.includes(name)),
      [],
      names.join(),
    );
    assert.equal(names.filter((name) => name.startsWith('mcp_files_')).length, 14);
    assert.deepEqual(
      names.filter((name) => /secure|portico/.test(name)),
      [],
    );
    assert.equal(await workbench.page.locator('.monaco-dialog-box').count(), 0);
    await workbench.notifications.waitForNone();
  });

  for (const [key, what] of [
    ['nonces', 'a session server'],
    ['newest', 'a server that speaks 2026-07-28 alone'],
  ] as const) {
    it(`asks once, in the chat, and the model gets what ${what} made at run time`, async () => {
      const { chat, model, tree } = workbench;
      const before = nonceLog(workbench).length;
      await chat.clear();
      await model.script(
        { call: [{ tool: `mcp_${key}_nonce`, args: { about: 'harbour' } }] },
        { say: 'The server says {{result}}.' },
      );
      await chat.send('What does the server say?');
      await chat.confirmations.first().waitFor();
      assert.equal(await chat.confirmations.count(), 1);
      assert.equal(await workbench.page.locator('.monaco-dialog-box').count(), 0);
      await chat.confirmations
        .first()
        .filter({ hasText: `${key} (MCP Server)` })
        .waitFor();
      assert.equal(nonceLog(workbench).length, before, 'called before it was allowed');

      await chat.confirmations.first().locator('.monaco-button', { hasText: 'Allow' }).first().click();
      const answer = await chat.waitForAnswer(/The server says nonce/);
      const nonce = lastNonce(workbench);
      assert.equal(nonceLog(workbench).length, before + 1);
      assert.ok(answer.includes(nonce), answer);
      const [, second] = await toolRequests(workbench);
      assert.match(JSON.stringify(second?.messages.at(-1)), new RegExp(nonce));
      await tree.row(`nonce, done, server ${key}, by chat`).waitFor();
      await workbench.notifications.waitForNone();
    });
  }

  it('calls a server by one name everywhere', async () => {
    const first = await namesOfFiles(workbench);
    await workbench.execute(
      'scriptedModel.updateSetting',
      'portico.servers',
      Object.fromEntries(Object.entries(servers).reverse()),
    );
    await workbench.reload();
    await workbench.openPortico();
    await workbench.chat.open();
    const reversed = await namesOfFiles(workbench);
    for (const names of [first, reversed]) {
      for (const [place, name] of Object.entries(names)) {
        assert.match(name, /\bfiles\b|_files_/, place);
        assert.doesNotMatch(name, /secure.filesystem/, place);
      }
    }
    assert.deepEqual(reversed, first);
  });
});

/** The requests that offered tools: not those for a title. */
async function toolRequests({ model }: Workbench) {
  return (await model.requests()).filter(({ tools }) => tools.length > 0);
}

/** What the person and the model read for the server `files`, by place. */
async function namesOfFiles(workbench: Workbench): Promise<Readonly<Record<string, string>>> {
  const { chat, model, page, tree, quickInput, folder } = workbench;
  await chat.clear();
  await model.script({ call: [{ tool: 'list_directory', args: { path: folder } }] }, { say: 'It has {{result}}' });
  await chat.send('What is in the folder?');
  const question = chat.confirmations.first();
  await question.waitFor();
  const confirmation = plain(await question.locator('.chat-confirmation-widget-title small').innerText());
  await question.locator('.monaco-dropdown-button').click();
  const menu = page.locator('.context-view .action-item');
  await menu.filter({ hasText: 'Tools from' }).first().waitFor();
  const choices = await menu.allInnerTexts();
  await page.keyboard.press('Escape');
  await menu.first().waitFor({ state: 'detached' });
  await question.locator('.monaco-button', { hasText: 'Allow' }).first().click();
  await chat.waitForAnswer('harbour.md');
  const [request] = await toolRequests(workbench);

  workbench.begin('workbench.action.chat.configureTools');
  const rows = quickInput.widget.locator('.monaco-list-row');
  for (const server of ['memory', 'files']) {
    await rows.filter({ hasText: server }).first().waitFor();
  }
  const picker = await rows.allInnerTexts();
  await quickInput.cancel();
  await workbench.execute('portico.showServerLog', 'files');
  await page.locator('.part.panel .view-lines').filter({ hasText: 'Ready' }).waitFor();
  const log = await page.locator('.part.panel .title-actions select').locator('option:checked').innerText();
  await workbench.execute('workbench.action.closePanel');
  const call = tree.row('list_directory, done').first();
  await call.waitFor();
  return {
    row: (await tree.row('files, ready').getAttribute('aria-label'))?.split(',')[0] ?? '',
    picker: picker
      .map(plain)
      .filter((text) => /file.*system|^files/.test(text))
      .join(),
    'model side': request?.tools.find(({ name }) => name.endsWith('list_directory'))?.name ?? '',
    confirmation,
    'approval menu': choices
      .filter((text) => text.includes('Tools from'))
      .map(plain)
      .join(),
    activity: /server (\S+), by chat/.exec((await call.getAttribute('aria-label')) ?? '')?.[1] ?? '',
    log,
  };
}

function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ').trim();
}
