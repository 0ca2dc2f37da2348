import type { Disposable } from '../../base/disposable';

/** Remembers process trees beyond the life of this host. */
export interface Trees {
  /** The tree that this process leads runs until disposed. */
  add(pid: number): Disposable;
}
