import type { Disposable } from '../../base/disposable';
import type { SamplingPorts } from '../../core/clientFeatures/samplingTypes';
import type { Services } from '../interop/contribution';
import { EditorModels } from './samplingModels';
import { SamplingReviews } from './samplingReview';
import { samplingSettings } from './samplingSettings';

/** What the editor gives to sampling. */
export interface SamplingParts extends SamplingPorts, Disposable {
  readonly ui: SamplingReviews;
}

export function samplingParts(services: Services): SamplingParts {
  const ui = new SamplingReviews(services);
  return {
    backend: new EditorModels(services.context, services.hub),
    ui,
    settings: samplingSettings,
    dispose: () => ui.dispose(),
  };
}
