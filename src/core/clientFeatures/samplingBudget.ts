import type { Clock } from '../../base/clock';
import { PorticoError } from '../../base/errors';
import type { ServerDefinition } from '../config/configTypes';
import type { SamplingSettings } from './samplingTypes';

const minute = 60_000;
const hour = 60 * minute;

interface Use {
  readonly at: number;
  tokens: number;
}

/** What one request may use. */
export interface Allowance {
  /** How many tokens the answer may have, of those that the server wants. Throws where the hour's are used up. */
  reserve(inputTokens: number, maxTokens: number): number;
  /** Tokens that a model has read or written. */
  spend(tokens: number): void;
  /** Gives back what was reserved and not spent. */
  close(): void;
}

/** Bounds how often a server asks models, and how much it has them read and write. */
export class SamplingBudget {
  private readonly uses = new Map<string, Use[]>();

  constructor(
    private readonly settings: Pick<SamplingSettings, 'requestsPerMinute' | 'tokensPerHour'>,
    private readonly clock: Clock,
  ) {}

  /** Lets one more request in. Throws RATE_LIMITED above the minute's number. */
  admit({ id, key }: ServerDefinition): Allowance {
    const now = this.clock.now();
    const uses = (this.uses.get(id) ?? []).filter(({ at }) => at > now - hour);
    this.uses.set(id, uses);
    const limit = this.settings.requestsPerMinute();
    if (uses.filter(({ at }) => at > now - minute).length >= limit) {
      throw exceeded(key, `${limit} requests for a model in a minute`, 'portico.sampling.requestsPerMinute');
    }
    const use: Use = { at: now, tokens: 0 };
    let spent = 0;
    uses.push(use);
    return {
      reserve: (inputTokens, maxTokens) => {
        const used = uses.reduce((sum, { tokens }) => sum + tokens, 0) - use.tokens;
        const ofHour = this.settings.tokensPerHour();
        const left = ofHour - used - inputTokens;
        if (left < 1) {
          throw exceeded(key, `${ofHour} tokens of models in an hour`, 'portico.sampling.tokensPerHour');
        }
        const granted = Math.min(left, maxTokens);
        use.tokens = inputTokens + granted;
        return granted;
      },
      spend: (tokens) => {
        spent += tokens;
      },
      close: () => {
        use.tokens = spent;
      },
    };
  }
}

function exceeded(key: string, limit: string, setting: string): PorticoError {
  return new PorticoError(
    'RATE_LIMITED',
    `"${key}" may use ${limit}, and has. It may ask again later; the setting "${setting}" says how much it may.`,
    { server: key },
  );
}
