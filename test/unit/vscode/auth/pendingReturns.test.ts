import assert from 'node:assert/strict';
import { NullLogger } from '../../../../src/base/log';
import { PendingReturns, returnParameters } from '../../../../src/vscode/auth/pendingReturns';

class CountingLog extends NullLogger {
  warnings = 0;

  override warn(): void {
    this.warnings++;
  }
}

const parameters = (text: string): URLSearchParams => new URLSearchParams(text);

describe('PendingReturns', () => {
  let log: CountingLog;
  let returns: PendingReturns;
  beforeEach(() => {
    log = new CountingLog();
    returns = new PendingReturns(log);
  });

  it('hands each return to the sign-in whose state it carries', async () => {
    const first = returns.expect('one');
    const second = returns.expect('two');
    returns.take(parameters('state=two&code=b'))?.();
    returns.take(parameters('code=a&state=one&iss=https%3A%2F%2Fas.test'))?.();
    assert.equal((await first.returned).get('code'), 'a');
    assert.equal((await first.returned).get('iss'), 'https://as.test');
    assert.equal((await second.returned).get('code'), 'b');
    assert.equal(log.warnings, 0);
  });

  it('takes a state once', async () => {
    const trip = returns.expect('one');
    const hand = returns.take(parameters('state=one&code=a'));
    assert.equal(returns.take(parameters('state=one&code=b')), undefined);
    hand?.();
    assert.equal(returns.take(parameters('state=one&code=c')), undefined);
    assert.equal((await trip.returned).get('code'), 'a');
    assert.equal(log.warnings, 2);
  });

  it('ignores what is foreign, late, without a state or with two, and logs it', () => {
    returns.expect('gone').dispose();
    const trip = returns.expect('one');
    for (const text of [
      'state=gone&code=a',
      'state=other',
      'code=a',
      '',
      'state=',
      'state=one&state=one',
      'State=one',
    ]) {
      assert.equal(returns.take(parameters(text)), undefined, text);
    }
    assert.equal(log.warnings, 7);
    assert.ok(returns.take(parameters('state=one&error=access_denied')));
    trip.dispose();
  });

  it('reads an address that the editor has decoded without decoding it twice', () => {
    const decoded = returnParameters('code=4/0A+b%2F=&state=s&iss=https://as.test/a?b&flag', true);
    assert.deepEqual(
      [...decoded],
      [
        ['code', '4/0A+b%2F='],
        ['state', 's'],
        ['iss', 'https://as.test/a?b'],
        ['flag', ''],
      ],
    );
    assert.equal(returnParameters('code=4%2F0A%2Bb', false).get('code'), '4/0A+b');
  });
});
