import type { RootsSource } from '../../core/clientFeatures/clientFeatureTypes';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Logger } from '../../base/log';

/** The roots of servers as folders and settings of this window give them; loaded when they are first asked for. */
export function editorRoots(log: Logger): RootsSource & Disposable {
  const store = new DisposableStore();
  let roots: Promise<RootsSource> | undefined;
  return {
    async rootsFor(server) {
      roots ??= import('./rootDirectories').then(({ openRootDirectories }) => store.add(openRootDirectories(log)));
      return (await roots).rootsFor(server);
    },
    dispose: () => store.dispose(),
  };
}
