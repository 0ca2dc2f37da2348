import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What is alive in this process, in megabytes, buffers included. */
export async function collectedMemory(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    collect();
    // Finalizers run between the rounds.
    await new Promise(setImmediate);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1_048_576;
}
