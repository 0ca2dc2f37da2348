import { setImmediate } from 'node:timers/promises';

let loaded: Promise<void> | undefined;

/**
 * Loads what the SDK's client stands on, its schemas and its validator, each in a turn of its own: with them, the client would
 * hold up the event loop for longer than anybody should wait.
 */
export function loadSdk(): Promise<void> {
  return (loaded ??= inTurns(
    () => import('@modelcontextprotocol/core'),
    () => import('@modelcontextprotocol/client/validators/ajv'),
  ));
}

async function inTurns(...pieces: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const load of pieces) {
    await load();
    await setImmediate();
  }
}
