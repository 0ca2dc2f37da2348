import { workspace } from 'vscode';
import { isObject } from '../../base/jsonObject';
import type { SamplingSettings } from '../../core/clientFeatures/samplingTypes';
import { settings } from '../../ids';

/** The settings of sampling; a value that cannot be what it should be counts as nothing said, and lets nothing through. */
export const samplingSettings: SamplingSettings = {
  modelsFor: ({ id, key }) => {
    const models = read(settings.samplingModels);
    const own = [id, key].find((name) => isObject(models) && Object.hasOwn(models, name));
    return own !== undefined && isObject(models) ? words(models[own]) : [];
  },
  order: () => {
    const given = read(settings.samplingOrder);
    const order = isObject(given) ? given : {};
    return {
      costPriority: words(order['cost']),
      speedPriority: words(order['speed']),
      intelligencePriority: words(order['intelligence']),
    };
  },
  requestsPerMinute: () => count(read(settings.samplingRequestsPerMinute)),
  tokensPerHour: () => count(read(settings.samplingTokensPerHour)),
};

function read(id: string): unknown {
  return workspace.getConfiguration().get<unknown>(id);
}

function words(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter((word) => typeof word === 'string' && word.trim() !== '') as readonly string[];
}

function count(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
