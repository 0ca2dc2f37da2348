import assert from 'node:assert/strict';
import type { ModelPreferences } from '@modelcontextprotocol/client';
import { rankModels } from '../../../../src/core/clientFeatures/chooseModel';
import { model, noOrder } from './fakeModels';

const sonnet = model('claude-4-sonnet', { name: 'Claude Sonnet 4', family: 'claude' });
const haiku = model('claude-4-haiku', { name: 'Claude Haiku 4', family: 'claude' });
const gpt = model('gpt-5', { name: 'GPT-5', family: 'gpt' });
const mini = model('gpt-5-mini', { name: 'GPT-5 mini', family: 'gpt' });
const all = [mini, gpt, haiku, sonnet];
const order = {
  intelligencePriority: ['sonnet', 'gpt-5'],
  speedPriority: ['haiku', 'mini'],
  costPriority: ['mini', 'haiku'],
};
const best = (preferences?: ModelPreferences, wanted: readonly string[] = [], models = all) =>
  rankModels(models, wanted, order, preferences)[0]?.id;
const hinting = (...names: string[]): ModelPreferences => ({ hints: names.map((name) => ({ name })) });

describe('the choice of a model', () => {
  it('takes hints in their order, as parts of ids, names and families in any case', () => {
    assert.equal(best(hinting('gemini', 'CLAUDE-4-HAIKU', 'gpt')), haiku.id);
    assert.equal(best(hinting('GPT-5 mini')), mini.id);
    assert.equal(best(hinting('claude')), sonnet.id);
  });

  it('weighs priorities among the models that a hint leaves', () => {
    assert.equal(best({ ...hinting('claude'), speedPriority: 1 }), haiku.id);
    assert.equal(best({ ...hinting('gpt'), costPriority: 0.9, intelligencePriority: 0.2 }), mini.id);
  });

  it('weighs priorities against the orders of the person', () => {
    assert.equal(best({ costPriority: 0.3, speedPriority: 0.8, intelligencePriority: 0.5 }), haiku.id);
    assert.equal(best({ costPriority: 1, speedPriority: 0.2 }), mini.id);
    assert.equal(best({ intelligencePriority: 1, costPriority: 0.1 }), sonnet.id);
  });

  it('takes what answers best where the server says nothing, and the first one where nobody does', () => {
    assert.equal(best(), sonnet.id);
    assert.equal(best({ costPriority: 0, speedPriority: 0, intelligencePriority: 0 }), sonnet.id);
    assert.deepEqual(rankModels(all, [], noOrder, { speedPriority: 1 }), all);
  });

  it('follows the person alone where they chose for the server', () => {
    assert.equal(best(hinting('claude'), ['gpt-5-mini', 'gpt']), mini.id);
    assert.deepEqual(
      rankModels(all, ['o9', 'haiku', 'gpt'], order, hinting('sonnet')).map(({ id }) => id),
      [haiku.id, mini.id, gpt.id],
    );
    assert.deepEqual(rankModels(all, ['o9'], order), []);
  });

  it('has a choice of none', () => {
    assert.deepEqual(rankModels([], [], order, hinting('claude')), []);
  });
});
