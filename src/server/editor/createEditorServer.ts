import { type Clock, systemClock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Logger } from '../../base/log';
import type { ChangeNotices } from '../endpoint/endpointTypes';
import { ReadLedger } from '../readLedger';
import { createEditorOffers } from './editorOffers';
import { EditorServer } from './editorServer';
import type { EditorPorts } from './editorTypes';
import { createFileOffers } from './files/fileOffers';
import { IndexedFileSearch } from './files/indexedFileSearch';
import type { ScopeOf } from './offerCatalog';
import { GatedWorkspaceFiles } from './workspaceFiles';

/** Files that come and go within this time, in milliseconds, are told as one change of the list. */
const listBurstMs = 1_000;

export interface EditorServerParts {
  readonly ports: EditorPorts;
  /** The bundle `editorWorker.js`, which walks and searches files. */
  readonly worker: URL;
  /** Portico's own. */
  readonly version: string;
  /** What each client may have; tracked where it reads signals. */
  readonly scopeOf: ScopeOf;
  /** Where what was given is written down; by default one of its own. */
  readonly ledger?: ReadLedger;
  readonly log: Logger;
  readonly clock?: Clock;
}

export interface PublishedEditor extends Disposable {
  /** What an endpoint serves; `ledger` tells what was given to whom. */
  readonly server: EditorServer;
  /** Tells an endpoint's clients of changed lists, until disposed. */
  tell(notices: ChangeNotices): Disposable;
  /** Gets ready for a client that is about to ask: walks the files of the workspace. */
  warm(): Promise<void>;
}

/** The whole editor server: everything that it offers, on the editor behind its ports. */
export function createEditorServer(parts: EditorServerParts): PublishedEditor {
  const { ports, worker, version, scopeOf, log, clock = systemClock } = parts;
  const { ledger = new ReadLedger(undefined, clock) } = parts;
  const store = new DisposableStore();
  const fileOffers = store.add(createFileOffers(ports, worker, log));
  const { gate, index } = fileOffers.parts;
  const files = new GatedWorkspaceFiles(ports, gate, new IndexedFileSearch(fileOffers.parts));
  const editorOffers = store.add(createEditorOffers(ports, files, clock));
  const offers = [...editorOffers.sets, fileOffers.set];
  const server = store.add(new EditorServer({ ports, offers, version, scopeOf, ledger, log, clock }));
  return {
    server,
    tell(notices) {
      const told = new DisposableStore();
      let timer: Disposable | undefined;
      told.add(
        server.onDidChangeScopes(() => {
          notices.toolsChanged();
          notices.promptsChanged();
          notices.resourcesChanged();
        }),
      );
      told.add(
        index.onDidChange(() => {
          timer ??= clock.after(listBurstMs, () => {
            timer = undefined;
            notices.resourcesChanged();
          });
        }),
      );
      told.defer(() => timer?.dispose());
      return told;
    },
    warm: () => index.warm(),
    dispose: () => store.dispose(),
  };
}
