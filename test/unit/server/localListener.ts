import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signal } from '@preact/signals-core';
import { type Clock, systemClock } from '../../../src/base/clock';
import { NullLogger } from '../../../src/base/log';
import { defaultListenerLimits, LocalListener } from '../../../src/server/listener';
import type { ClientRegistry, ListenerLimits } from '../../../src/server/serverTypes';

export interface TestListener {
  readonly listener: LocalListener;
  readonly directory: string;
  readonly path: string;
  /** Where it says that it can be reached by HTTP. */
  urls(): readonly string[];
  dispose(): void;
}

/** A listener on a socket in a directory of its own. */
export function createTestListener(
  limits: Partial<ListenerLimits> = {},
  clients?: ClientRegistry,
  clock: Clock = systemClock,
): TestListener {
  const directory = mkdtempSync(join(tmpdir(), 'ptest-'));
  const path = join(directory, `${randomBytes(8).toString('hex')}.sock`);
  const urls = signal<readonly string[]>([]);
  const listener = new LocalListener(
    { kind: 'socket', path, directory },
    {
      log: new NullLogger(),
      urls,
      clock,
      limits: { ...defaultListenerLimits, ...limits },
      ...(clients ? { clients } : {}),
    },
  );
  return {
    listener,
    directory,
    path,
    urls: () => urls.peek(),
    dispose() {
      listener.dispose();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
