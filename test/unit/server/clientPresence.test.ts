import assert from 'node:assert/strict';
import { ClientPresence, lingerMs } from '../../../src/server/clientPresence';
import { ManualClock } from './manualClock';

const codex = { id: 'codex', label: 'Codex' };
const cursor = { id: 'cursor', label: 'Cursor' };

describe('ClientPresence', () => {
  let clock: ManualClock;
  let presence: ClientPresence;
  beforeEach(() => {
    clock = new ManualClock();
    presence = new ClientPresence(clock);
  });
  afterEach(() => presence.dispose());

  const ids = () => presence.present.value.map(({ id }) => id);

  it('has a client from its first request until a while after its last', () => {
    const ended = presence.began(codex);
    presence.began(cursor);
    assert.deepEqual(ids(), ['codex', 'cursor']);
    ended();
    clock.pass(lingerMs - 1);
    assert.deepEqual(ids(), ['codex', 'cursor']);
    clock.pass(1);
    assert.deepEqual(ids(), ['cursor']);
  });

  it('keeps one whose stream is open, however long it says nothing', () => {
    const streamEnded = presence.began(codex);
    presence.began(codex)();
    clock.pass(10 * lingerMs);
    assert.deepEqual(ids(), ['codex']);
    streamEnded();
    clock.pass(lingerMs);
    assert.deepEqual(ids(), []);
  });

  it('counts from the last request', () => {
    for (let round = 0; round < 5; round += 1) {
      presence.began(codex)();
      clock.pass(lingerMs / 2);
    }
    clock.pass(lingerMs / 2 - 1);
    assert.deepEqual(ids(), ['codex']);
    clock.pass(1);
    assert.deepEqual(ids(), []);
  });

  it('forgets at once who is no longer let in, and tells only of changes', () => {
    const told: string[][] = [];
    const end = presence.present.subscribe((clients) => told.push(clients.map(({ id }) => id)));
    const endings = [presence.began(codex), presence.began(codex)];
    presence.forget('codex');
    presence.forget('codex');
    endings.forEach((ended) => ended());
    clock.pass(2 * lingerMs);
    end();
    assert.deepEqual(told, [[], ['codex'], []]);
  });

  it('is not misled by the end of requests from before a client was let in anew', () => {
    const old = presence.began(codex);
    presence.forget('codex');
    presence.began(codex);
    old();
    clock.pass(2 * lingerMs);
    assert.deepEqual(ids(), ['codex']);
  });
});
