import assert from 'node:assert/strict';
import { splitBatches } from '../../../../../src/core/connections/remote/splitBatches';

async function split(text: string, chunkBytes = text.length * 4): Promise<string> {
  const bytes = Buffer.from(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        controller.enqueue(bytes.subarray(at, at + chunkBytes));
      }
      controller.close();
    },
  });
  return new Response(splitBatches(body)).text();
}

describe('splitBatches', () => {
  const batch = ': note\nevent: message\nid: 7\ndata: [{"id":1},\ndata: {"id":"é"}]\n\n';
  const messages = 'data: {"id":1}\n\n: note\nevent: message\nid: 7\ndata: {"id":"é"}\n\n';

  it('gives each message an event, and the id to the last', async () => {
    assert.equal(await split(batch), messages);
  });

  it('does so wherever the chunks are cut', async () => {
    const around = 'data: {"id":0}\n\n';
    for (const bytes of [1, 2, 3, 7, 16]) {
      assert.equal(await split(around + batch + around, bytes), around + messages + around);
    }
  });

  for (const [name, text] of [
    ['single messages', 'retry: 5\ndata: {"a":[1]}\n\n'],
    ['an event without data', 'id: 1\ndata:\n\n'],
    ['what is no JSON', 'data: [1,\n\n'],
    ['an empty batch', 'data: []\n\n'],
    ['events of another kind', 'event: list\ndata: [1,2]\n\n'],
    ['an event that is cut off', 'data: [{"id":1}]'],
  ] as const) {
    it(`leaves ${name} as they are`, async () => {
      assert.equal(await split(text), text);
    });
  }
});
