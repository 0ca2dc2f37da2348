import assert from 'node:assert/strict';
import { toolNames } from '../../../../src/vscode/clientFeatures/toolNames';

describe('names of tools for models', () => {
  it('stay as they are where models take them', () => {
    const names = ['get_weather', 'look-up', 'A9'];
    assert.deepEqual(
      [...toolNames(names)],
      names.map((name) => [name, name]),
    );
  });

  it('are made so that models take them, and stay different', () => {
    const odd = ['get.weather', 'get/weather', 'get_weather', '', 'ä', 'x'.repeat(80)];
    const made = toolNames(odd);
    assert.deepEqual([...made.keys()].sort(), [...odd].sort());
    assert.equal(new Set(made.values()).size, odd.length);
    assert.ok([...made.values()].every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name)));
    assert.equal(made.get('get_weather'), 'get_weather');
  });
});
