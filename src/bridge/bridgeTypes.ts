import type { AnswerReader } from './answerReader';
import type { OfflineAnswers } from './offlineAnswers';
import type { WindowLink } from './windowLink';

/** What both eras work with. */
export interface BridgePorts {
  readonly link: WindowLink;
  readonly reader: AnswerReader;
  readonly offline: OfflineAnswers;
  /** Sends a message to the agent. */
  out(text: string): void;
  /** Tells the person, in the agent's log. */
  say(text: string): void;
}

/** Requests that may be sent a second time when nobody knows whether the first was worked on. */
export function isRepeatable(method: string | undefined): boolean {
  return method !== undefined && method !== 'tools/call';
}
