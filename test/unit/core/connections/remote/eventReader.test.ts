import assert from 'node:assert/strict';
import { EventReader, Lifted, type ReadMessage } from '../../../../../src/core/connections/remote/eventReader';

async function read(
  text: string,
  chunkBytes = text.length * 4,
  readMessage: ReadMessage = (one) => one,
): Promise<string> {
  const reader = new EventReader(new Lifted(), readMessage);
  const bytes = Buffer.from(text);
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    out.push((await reader.take(bytes.subarray(at, at + chunkBytes))) ?? Buffer.alloc(0));
  }
  return Buffer.concat(out).toString('utf8');
}

describe('EventReader', () => {
  const batch = ': note\nevent: message\nid: 7\ndata: [{"id":1},\ndata: {"id":"é"}]\n\n';
  const messages = 'data: {"id":1}\n\n: note\nevent: message\nid: 7\ndata: {"id":"é"}\n\n';

  it('gives each message of a batch an event, and the id to the last', async () => {
    assert.equal(await read(batch), messages);
    assert.equal(await read(`\uFEFF${batch}`), messages);
  });

  it('does so wherever the chunks are cut', async () => {
    const around = 'data: {"id":0}\n\n';
    for (const bytes of [1, 2, 3, 7, 16]) {
      assert.equal(await read(around + batch + around, bytes), around + messages + around);
    }
  });

  it('passes on what was made of a message', async () => {
    const text = 'id: 3\ndata: {"id":0}\n\ndata: {"id":5}\n\n';
    const renamed = await read(text, undefined, (message) => (message['id'] === 0 ? { id: 1 } : message));
    assert.equal(renamed, 'id: 3\ndata: {"id":1}\n\ndata: {"id":5}\n\n');
  });

  for (const [name, text] of [
    ['single messages', 'retry: 5\ndata: {"a":[1]}\n\n'],
    ['an event without data', 'id: 1\ndata:\n\n'],
    ['what is no JSON', 'data: [1,\n\n'],
    ['an empty batch', 'data: []\n\n'],
    ['a batch of no messages', 'data: [1, null]\n\n'],
    ['events of another kind', 'event: list\ndata: [{"a":1}]\n\n'],
  ] as const) {
    it(`leaves ${name} as they are`, async () => {
      assert.equal(await read(text), text);
    });
  }
});
