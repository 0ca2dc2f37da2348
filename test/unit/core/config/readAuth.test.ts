import assert from 'node:assert/strict';
import { readAuth } from '../../../../src/core/config/readAuth';

describe('settings of a sign-in', () => {
  it('leave out what they do not know, names too that every object has something under', () => {
    const auth: unknown = JSON.parse('{"CLIENT_ID":"c","other":"x","constructor":"x","__proto__":"x","valueOf":5}');
    const faults: Parameters<typeof readAuth>[1] = [];
    assert.deepEqual([readAuth(new Map([['auth', auth]]), faults), faults], [{ clientId: 'c' }, []]);
  });
});
