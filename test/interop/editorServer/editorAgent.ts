import assert from 'node:assert/strict';
import { Client, ProtocolErrorCode, type Transport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { problem, range } from '../../unit/server/editor/fakeEditor';
import { eventually } from '../../unit/core/connections/until';
import { type EditorWindow, fileCount, unsavedText } from './editorWindow';

/** What a client is asked to do, whoever has written it. */
export interface EditorAgent {
  /** Sends a request of the protocol and gives its result; rejects with the error's `code`. */
  request(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The code by which it tells of a resource that there is not, where that is not the server's. */
  readonly missing?: number;
  /** Hears of changes of a resource until it is closed; absent where the client has no such feature. */
  subscribe?(uri: string, updated: (uri: string) => void): Promise<void>;
  close(): Promise<void>;
}

const info = { name: 'interop', version: '1' };

export async function sdk1(transport: object): Promise<EditorAgent> {
  const client = new ClientV1(info);
  await client.connect(transport as Parameters<ClientV1['connect']>[0]);
  return {
    request: async (method, params = {}) => client.request({ method, params }, ResultSchema),
    subscribe: async (uri, updated) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated(params.uri));
      await client.subscribeResource({ uri });
    },
    close: () => client.close(),
  };
}

/** `mode` is that of the SDK: `legacy` speaks 2025-11-25, `auto` goes up to 2026-07-28. */
export async function sdk2(mode: 'legacy' | 'auto', transport: Transport): Promise<EditorAgent> {
  const client = new Client(info, { versionNegotiation: { mode } });
  await client.connect(transport);
  const expected = mode === 'legacy' ? '2025-11-25' : '2026-07-28';
  assert.equal(client.getNegotiatedProtocolVersion(), expected);
  return {
    missing: ProtocolErrorCode.InvalidParams,
    request: async (method, params = {}) => client.request({ method, params } as never) as never,
    subscribe: async (uri, updated) => {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated(params.uri));
      if (mode === 'legacy') {
        await client.subscribeResource({ uri });
      } else {
        await client.listen({ resourceSubscriptions: [uri] });
      }
    },
    close: () => client.close(),
  };
}

interface Listed {
  readonly resources: readonly { readonly uri: string }[];
  readonly nextCursor?: string;
}

/**
 * Everything that an agent does with the editor: what it gets is compared with what the window has. A proxy may put the
 * pages of a list together.
 */
export async function useEditor(
  agent: EditorAgent,
  window: EditorWindow,
  missingCode: number,
  pagesOfFiles = Math.ceil((fileCount + 1) / 200),
): Promise<void> {
  const { editor } = window;
  const uri = editor.uri('src/a.ts');
  const view = 'diagnostics://file/src/a.ts';

  const { tools } = (await agent.request('tools/list')) as { tools: { name: string }[] };
  assert.ok(tools.length > 20);
  assert.ok(['get_diagnostics', 'read_file', 'find_files'].every((name) => tools.some((tool) => tool.name === name)));

  const read = await agent.request('tools/call', { name: 'read_file', arguments: { file: 'src/a.ts' } });
  const text = read['structuredContent'] as Record<string, unknown>;
  assert.deepEqual([text['text'], text['source'], text['dirty']], [unsavedText, 'buffer', true]);

  const found = await agent.request('tools/call', { name: 'get_diagnostics', arguments: { files: ['src/a.ts'] } });
  const { items, files } = found['structuredContent'] as { items: object[]; files: { dirty: boolean }[] };
  assert.deepEqual(
    items.map((item) => pick(item, 'line', 'column', 'message', 'sourceLine')),
    [{ line: 2, column: 8, message: 'Expression expected.', sourceLine: 'broken(;' }],
  );
  assert.equal(files[0]?.dirty, true);

  const uris: string[] = [];
  let pages = 0;
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = (await agent.request('resources/list', cursor === undefined ? {} : { cursor })) as unknown as Listed;
    uris.push(...page.resources.map((resource) => resource.uri));
    cursor = page.nextCursor;
    pages += 1;
  }
  assert.equal(pages, pagesOfFiles);
  assert.equal(uris[0], 'diagnostics://workspace');
  assert.equal(new Set(uris).size, uris.length);
  assert.equal(uris.filter((each) => each.includes('/lib/file')).length, fileCount);
  assert.ok(uris.includes(uri));

  const contents = async (of: string) =>
    ((await agent.request('resources/read', { uri: of })) as { contents: { uri: string; text: string }[] }).contents;
  assert.equal((await contents(uri))[0]?.text, unsavedText);

  const { resourceTemplates } = (await agent.request('resources/templates/list')) as {
    resourceTemplates: { uriTemplate: string }[];
  };
  assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'diagnostics://file/{+path}'));
  const { completion } = (await agent.request('completion/complete', {
    ref: { type: 'ref/resource', uri: 'file://{+folder}/{+path}' },
    argument: { name: 'path', value: 'lib/file4.' },
    context: { arguments: { folder: editor.folders.value[0]?.path ?? '' } },
  })) as { completion: { values: string[]; total: number; hasMore: boolean } };
  const { values, total, hasMore } = completion;
  assert.deepEqual([values[0], values.length, total > 100, hasMore], ['lib/file4.ts', 100, true, true]);

  const prompt = await agent.request('prompts/get', { name: 'fix_problems', arguments: { file: 'src/a.ts' } });
  assert.match(JSON.stringify(prompt['messages']), /src\/a\.ts:2:8 error Expression expected\./);

  const { missing: code = missingCode } = agent;
  await assert.rejects(contents(editor.uri('none.ts')), { code });
  await assert.rejects(contents('file:///etc/passwd'), { code });

  if (agent.subscribe !== undefined) {
    const updated: string[] = [];
    await agent.subscribe(view, (changed) => updated.push(changed));
    const message = `Problem of ${Math.random()}`;
    editor.publish(uri, problem(message, { range: range(1, 7) }));
    await eventually(() => updated.includes(view));
    assert.match((await contents(view))[0]?.text ?? '', new RegExp(message));
    editor.publish(uri, problem('Expression expected.', { range: range(1, 7) }));
  }
}

function pick(item: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}
