import assert from 'node:assert/strict';
import { signal } from '@preact/signals-core';
import { PorticoError } from '../../../../src/base/errors';
import { MemoryStore } from '../../../../src/base/storage';
import type { ServerDefinition } from '../../../../src/core/config/configTypes';
import { createConsent } from '../../../../src/core/policy/consent';
import type { ConsentAnswer } from '../../../../src/core/policy/policyTypes';
import { createStartGate } from '../../../../src/core/policy/startGate';
import { definition } from './policyFixtures';

const user = { id: 'user', kind: 'settings', scope: 'user', label: 'user settings' } as const;

function gateway(answers: Readonly<Record<string, ConsentAnswer>> = {}, implicitConsent = false) {
  const consent = createConsent({ consentState: new MemoryStore(), implicitConsent });
  const trusted = signal(true);
  const dialogs: string[][] = [];
  const gate = createStartGate({
    consent,
    trusted,
    consentUi: {
      async ask(definitions: readonly ServerDefinition[]) {
        dialogs.push(definitions.map(({ id }) => id));
        return new Map(Object.entries(answers));
      },
    },
  });
  const start = (one: ServerDefinition, interactive = true, abort?: AbortSignal): Promise<string> =>
    gate.allow(one, { interactive, ...(abort ? { signal: abort } : {}) }).then(
      () => 'allowed',
      (error: unknown) => (PorticoError.is(error) ? error.code : String(error)),
    );
  return { consent, trusted, dialogs, gate, start };
}

describe('consent', () => {
  it('is bound to the digest of what would run', async () => {
    const { consent } = gateway();
    const one = definition('one');
    assert.equal(consent.stateOf(one), 'needed');
    await consent.approve(one);
    assert.equal(consent.stateOf(one), 'approved');
    assert.equal(consent.stateOf({ ...one, launchDigest: 'other' }), 'approved');
    assert.equal(consent.stateOf({ ...one, consentDigest: 'other' }), 'needed');
    assert.equal(consent.stateOf({ ...one, source: { ...one.source, id: 'elsewhere' } }), 'needed');
    assert.equal(consent.version.value, 1);
    await consent.refuse(one);
    assert.equal(consent.stateOf(one), 'refused');
  });

  it('is not needed for the person’s own entries or where naming the file gave it, and they can be refused', async () => {
    const own = definition('own', { source: user });
    const { consent } = gateway();
    assert.equal(consent.stateOf(own), 'approved');
    await consent.refuse(own);
    assert.equal(consent.stateOf(own), 'refused');
    assert.equal(consent.stateOf(definition('__proto__')), 'needed');
    assert.equal(gateway({}, true).consent.stateOf(definition('one')), 'approved');
  });
});

describe('start gate', () => {
  it('refuses what is off, what is Portico itself, and the workspace’s entries in Restricted Mode', async () => {
    const { start, trusted, dialogs } = gateway();
    assert.equal(await start(definition('a', { disabled: true })), 'SERVER_OFF');
    assert.equal(await start(definition('a', { self: true })), 'SERVER_IS_PORTICO');
    trusted.value = false;
    assert.equal(await start(definition('a')), 'RESTRICTED_MODE');
    assert.equal(await start(definition('a', { source: user })), 'allowed');
    assert.deepEqual(dialogs, []);
  });

  it('never asks in the background: it fails with a code and says where to go', async () => {
    const { gate, dialogs } = gateway();
    await assert.rejects(gate.allow(definition('files'), { interactive: false }), (error: unknown) => {
      assert.ok(PorticoError.is(error, 'NOT_APPROVED'));
      assert.match(error.message, /^files from \.mcp\.json has not been approved.*Review it in the Servers view\.$/);
      return true;
    });
    assert.deepEqual(dialogs, []);
  });

  it('asks for all starts of one source in one dialog, each once, and acts on every answer', async () => {
    const { start, dialogs, consent } = gateway({ a: 'run', b: 'keepOff', c: 'later' });
    const outcomes = ['a', 'b', 'c', 'a'].map((key) => start(definition(key)));
    assert.deepEqual(await Promise.all(outcomes), ['allowed', 'NOT_APPROVED', 'NOT_APPROVED', 'allowed']);
    assert.deepEqual(dialogs, [['a', 'b', 'c']]);
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => consent.stateOf(definition(key))),
      ['approved', 'refused', 'needed'],
    );
    assert.equal(await start(definition('a')), 'allowed');
    assert.equal(await start(definition('c')), 'NOT_APPROVED');
    assert.deepEqual(dialogs, [['a', 'b', 'c'], ['c']]);
  });

  it('has one dialog per source, one after another', async () => {
    const { start, dialogs } = gateway({ a: 'run', b: 'run' });
    const other = { ...definition('b').source, id: 'ws:.vscode/mcp.json' };
    assert.deepEqual(await Promise.all([start(definition('a')), start(definition('b', { source: other }))]), [
      'allowed',
      'allowed',
    ]);
    assert.deepEqual(dialogs, [['a'], ['b']]);
  });

  it('does not ask about what was reviewed meanwhile, and asks anew about a changed entry', async () => {
    const { start, dialogs, consent } = gateway({ a: 'run' });
    const outcome = start(definition('a'));
    await consent.approve(definition('a'));
    assert.equal(await outcome, 'allowed');
    assert.deepEqual(dialogs, []);
    assert.equal(await start(definition('a', { consentDigest: 'changed' })), 'allowed');
    assert.deepEqual(dialogs, [['a']]);
  });

  it('a start that is given up does not wait for the dialog', async () => {
    const { start } = gateway({ a: 'run' });
    assert.equal(await start(definition('a'), true, AbortSignal.abort()), 'CANCELLED');
    assert.equal(await start(definition('a')), 'allowed');
  });
});
