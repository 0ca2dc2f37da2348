import assert from 'node:assert/strict';
import { effect } from '@preact/signals-core';
import { WantedResources } from '../../../../src/core/connections/wantedResources';

describe('WantedResources', () => {
  it('holds each resource once, until the last who wants it lets go, once each', () => {
    const wanted = new WantedResources();
    const seen: string[][] = [];
    const stop = effect(() => void seen.push([...wanted.uris.value]));
    const [first, second] = [wanted.want('x://a'), wanted.want('x://a')];
    const other = wanted.want('X://a');
    first.dispose();
    first.dispose();
    assert.deepEqual([...wanted.uris.value], ['x://a', 'X://a']);
    second.dispose();
    other.dispose();
    stop();
    assert.deepEqual(seen, [[], ['x://a'], ['x://a', 'X://a'], ['X://a'], []]);
  });

  it('knows of what updates may have been missed: wanted all the time since a subscription ended', () => {
    const wanted = new WantedResources();
    const a = wanted.want('x://a');
    wanted.want('x://b');
    assert.equal(wanted.resume('x://a'), false);
    wanted.lapse(['x://a', 'x://b', 'x://never']);
    assert.equal(wanted.resume('x://b'), true);
    assert.equal(wanted.resume('x://b'), false);
    assert.equal(wanted.resume('x://never'), false);
    a.dispose();
    wanted.want('x://a');
    assert.equal(wanted.resume('x://a'), false);
  });
});
