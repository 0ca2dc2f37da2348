/** The longest turn of this process's event loop while `run` goes on: milliseconds of computing, so that others on the machine do not count. */
export async function longestTurn(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = computed();
  let on = true;
  const turn = (): void => {
    const now = computed();
    longest = Math.max(longest, now - last);
    last = now;
    if (on) {
      setImmediate(turn);
    }
  };
  setImmediate(turn);
  try {
    await run();
  } finally {
    on = false;
  }
  return longest;
}

/** How much computing `run` takes in one go, in milliseconds. */
export function inOneGo(run: () => void): number {
  const start = computed();
  run();
  return computed() - start;
}

function computed(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
