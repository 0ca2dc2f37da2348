import assert from 'node:assert/strict';
import type { DiagnosisStep } from '../../../../src/core/connections/auth/authTypes';
import { diagnosisSummary, diagnosisText, shownStep } from '../../../../src/vscode/auth/diagnosisText';

const step = (title: string, outcome: DiagnosisStep['outcome'], more: Partial<DiagnosisStep> = {}): DiagnosisStep => ({
  title,
  outcome,
  detail: '',
  addresses: [],
  ...more,
});
const found = [
  step('The server asks for a sign-in', 'ok', { detail: 'It answered 401.' }),
  step('Authorization server', 'failed', {
    detail: 'No metadata was found.',
    addresses: [
      { url: 'https://as.test/.well-known/oauth-authorization-server', answer: '404' },
      { url: 'https://as.test/.well-known/openid-configuration', answer: 'not JSON' },
    ],
    advice: 'Tell whoever runs it.',
  }),
];

describe('a diagnosis', () => {
  it('is text that can be sent on', () => {
    const text = diagnosisText({ server: 'files', url: 'https://mcp.test/mcp', steps: found, state: 'done' });
    assert.deepEqual(text.split('\n'), [
      'Sign-in of files, https://mcp.test/mcp',
      'It stops at “Authorization server”.',
      '',
      '1. The server asks for a sign-in: ok',
      '   It answered 401.',
      '',
      '2. Authorization server: failed',
      '   No metadata was found.',
      '   - https://as.test/.well-known/oauth-authorization-server: 404',
      '   - https://as.test/.well-known/openid-configuration: not JSON',
      '   What to do: Tell whoever runs it.',
      '',
    ]);
  });

  it('says how far it came', () => {
    const good = [step('a', 'ok'), step('b', 'skipped')];
    assert.equal(diagnosisSummary({ steps: [], state: 'running' }), 'Looking…');
    assert.equal(diagnosisSummary({ steps: good, state: 'done' }), 'All steps up to the browser work.');
    assert.equal(diagnosisSummary({ steps: good, state: 'stopped' }), 'Stopped before the end.');
    assert.equal(
      diagnosisSummary({ steps: [...good, step('c', 'warning')], state: 'done' }),
      'All steps up to the browser work, with 1 warning.',
    );
    assert.equal(diagnosisSummary({ steps: found, state: 'running' }), 'It stops at “Authorization server”.');
  });

  it('shows what would not be seen, and cuts what is too long', () => {
    const { title, detail, addresses } = shownStep(
      step('a\u202eb', 'ok', {
        detail: `one\ntwo\u200b${'x'.repeat(5_000)}`,
        addresses: [{ url: 'https://a\u00adb.test/', answer: '<b>200</b>' }],
      }),
    );
    assert.equal(title, 'a\\u202eb');
    assert.ok(detail.startsWith('one\ntwo\\u200bxxx') && detail.endsWith('x…') && detail.length < 2_100);
    assert.deepEqual(addresses, [{ url: 'https://a\\u00adb.test/', answer: '<b>200</b>' }]);
  });
});
