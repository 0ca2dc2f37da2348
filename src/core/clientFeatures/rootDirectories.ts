import type { Root } from '@modelcontextprotocol/client';
import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals-core';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Logger } from '../../base/log';
import { Sequencer } from '../../base/sequencer';
import type { ServerDefinition } from '../config/configTypes';
import type { RootsSource } from './clientFeatureTypes';
import { type RootCandidate, rootCandidates } from './rootCandidates';
import { listedDirectories, type RootSettings } from './rootLists';
import { toRootUri } from './rootPaths';
import type { IsDirectory } from './rootPresence';

/** The roots of every server, as folders and settings are, without directories that are not there. */
export class RootDirectories implements RootsSource, Disposable {
  private readonly store = new DisposableStore();
  private readonly servers = new Map<string, ServerRoots>();

  constructor(
    private readonly settings: ReadonlySignal<RootSettings>,
    private readonly isDirectory: IsDirectory,
    log: Logger,
  ) {
    const told = new Set<string>();
    this.store.defer(
      effect(() => {
        for (const kind of ['include', 'exclude'] as const) {
          listedDirectories(kind, settings.value, (problem) => {
            if (!told.has(problem)) {
              told.add(problem);
              log.warn(problem);
            }
          });
        }
      }),
    );
  }

  async rootsFor(server: ServerDefinition): Promise<ReadonlySignal<readonly Root[]>> {
    const { key, launch } = server;
    const slot = JSON.stringify([key, launch.type === 'stdio' ? '' : launch.url]);
    let roots = this.servers.get(slot);
    if (!roots) {
      roots = this.store.add(new ServerRoots(server, this.settings, this.isDirectory));
      this.servers.set(slot, roots);
    }
    await roots.look();
    return roots.value;
  }

  dispose(): void {
    this.store.dispose();
  }
}

class ServerRoots implements Disposable {
  readonly value = signal<readonly Root[]>([]);
  private readonly looks = new Sequencer();
  private readonly follow;

  constructor(
    private readonly server: ServerDefinition,
    private readonly settings: ReadonlySignal<RootSettings>,
    private readonly isDirectory: IsDirectory,
  ) {
    this.follow = effect(() => {
      void this.settings.value;
      untracked(() => void this.look());
    });
  }

  /** Settles when the value says what is there; one look at a time, so that an old one never overwrites a new one. */
  look(): Promise<void> {
    return this.looks.run(async () => {
      const { platform } = this.settings.peek();
      const told = rootCandidates(this.server, this.settings.peek()).filter(({ isTold }) => isTold);
      const there = await Promise.all(told.map(({ path }) => this.isDirectory(path)));
      const roots = told
        .filter((_, index) => there[index])
        .map(({ name, path }: RootCandidate): Root => ({ uri: toRootUri(path, platform), name }));
      if (JSON.stringify(roots) !== JSON.stringify(this.value.peek())) {
        this.value.value = roots;
      }
    });
  }

  dispose(): void {
    this.follow();
  }
}
