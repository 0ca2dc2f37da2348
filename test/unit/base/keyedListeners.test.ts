import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/emitter';
import { KeyedListeners } from '../../../src/base/keyedListeners';

describe('keyed listeners', () => {
  let heard: string[];
  let reads: number;
  let listening: number;
  let emitter: Emitter<readonly string[]>;
  let listeners: KeyedListeners<readonly string[]>;
  const hear = (name: string) => () => void heard.push(name);

  beforeEach(() => {
    [heard, reads, listening] = [[], 0, 0];
    emitter = new Emitter();
    listeners = new KeyedListeners<readonly string[]>(
      (run) => {
        listening += 1;
        const own = emitter.event(run);
        return { dispose: () => [own.dispose(), (listening -= 1)] };
      },
      (keys) => {
        reads += 1;
        return keys;
      },
    );
  });

  it('hear of their keys alone, each once for a value', () => {
    listeners.add(['a', 'b'], hear('one'));
    listeners.add(['b'], hear('two'));
    listeners.add(['b'], hear('three'));
    emitter.fire(['a', 'x']);
    emitter.fire(['x']);
    assert.deepEqual(heard, ['one']);
    emitter.fire(['b', 'a', 'b']);
    assert.deepEqual(heard, ['one', 'one', 'two', 'three']);
  });

  it('listen to the source once and read what it tells once, and not at all where there are none', () => {
    emitter.fire(['a']);
    assert.deepEqual([reads, listening], [0, 0]);
    const added = Array.from({ length: 100 }, (_each, at) => listeners.add([`${at % 10}`], hear('some')));
    emitter.fire(['3', '4']);
    assert.deepEqual([heard.length, reads, listening], [20, 1, 1]);
    added.slice(1).forEach((each) => each.dispose());
    emitter.fire(['0']);
    assert.deepEqual([heard.length, reads, listening], [21, 2, 1]);
    assert.deepEqual([listeners.has('0'), listeners.has('3')], [true, false]);
    added.forEach((each) => each.dispose());
    emitter.fire(['0']);
    assert.deepEqual([heard.length, reads, listening], [21, 2, 0]);
    listeners.add(['0'], hear('again'));
    emitter.fire(['0']);
    assert.deepEqual([heard.at(-1), reads, listening], ['again', 3, 1]);
  });

  it('that add or leave others while they hear do so for the next value', () => {
    const second = listeners.add(['a'], () => {
      heard.push('second');
      second.dispose();
      listeners.add(['a'], hear('third'));
    });
    emitter.fire(['a', 'a']);
    assert.deepEqual(heard, ['second']);
    emitter.fire(['a']);
    assert.deepEqual(heard, ['second', 'third']);
  });
});
