import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NullLogger } from '../../../src/base/log';
import { defaultListenerLimits, LocalListener } from '../../../src/server/listener';
import type { ClientRegistry, ListenerLimits } from '../../../src/server/serverTypes';

export interface TestListener {
  readonly listener: LocalListener;
  readonly directory: string;
  readonly path: string;
  dispose(): void;
}

/** A listener on a socket in a directory of its own. */
export function createTestListener(limits: Partial<ListenerLimits> = {}, clients?: ClientRegistry): TestListener {
  const directory = mkdtempSync(join(tmpdir(), 'ptest-'));
  const path = join(directory, `${randomBytes(8).toString('hex')}.sock`);
  const listener = new LocalListener(
    { kind: 'socket', path, directory },
    { log: new NullLogger(), limits: { ...defaultListenerLimits, ...limits }, ...(clients ? { clients } : {}) },
  );
  return {
    listener,
    directory,
    path,
    dispose() {
      listener.dispose();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
