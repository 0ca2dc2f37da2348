import type { ModelPreferences } from '@modelcontextprotocol/client';
import type { ModelOrder, SamplingModel, SamplingPriority } from './samplingTypes';

const priorities: readonly SamplingPriority[] = ['intelligencePriority', 'speedPriority', 'costPriority'];

/**
 * The models that a request may go to, the most fitting first. What the person wrote for the server (`wanted`) decides
 * alone. Otherwise the first hint that fits any model goes first, and among equals the server's priorities are weighed
 * against the person's orders (spec: client/sampling, model preferences).
 */
export function rankModels(
  models: readonly SamplingModel[],
  wanted: readonly string[],
  order: ModelOrder,
  preferences: ModelPreferences = {},
): readonly SamplingModel[] {
  if (wanted.length > 0) {
    return models.filter((model) => placeOf(model, wanted) >= 0).sort(by((model) => -placeOf(model, wanted)));
  }
  const hints = (preferences.hints ?? []).flatMap(({ name }) => name ?? []);
  const hint = hints.find((name) => models.some((model) => isCalled(model, name)));
  const asked = priorities.filter((priority) => (preferences[priority] ?? 0) > 0);
  const score = (model: SamplingModel): number =>
    // Who weighs nothing gets what answers best.
    (asked.length > 0 ? asked : priorities.slice(0, 1))
      .map((priority) => (preferences[priority] || 1) * rankOf(model, order[priority]))
      .reduce((sum, one) => sum + one, 0);
  const hinted = (model: SamplingModel): number => (hint !== undefined && isCalled(model, hint) ? 1 : 0);
  return [...models].sort((a, b) => hinted(b) - hinted(a) || score(b) - score(a));
}

/** A part of a model's name, family or id, in any case. */
function isCalled({ id, name, family }: SamplingModel, part: string): boolean {
  const wanted = part.trim().toLowerCase();
  return [id, name, family].some((one) => one.toLowerCase().includes(wanted));
}

function placeOf(model: SamplingModel, names: readonly string[]): number {
  return names.findIndex((name) => isCalled(model, name));
}

/** 1 for the first of an order, less for each that follows, 0 for what is not in it. */
function rankOf(model: SamplingModel, names: readonly string[]): number {
  const place = placeOf(model, names);
  return place < 0 ? 0 : (names.length - place) / names.length;
}

function by(value: (model: SamplingModel) => number): (a: SamplingModel, b: SamplingModel) => number {
  return (a, b) => value(b) - value(a);
}
