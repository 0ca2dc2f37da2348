import { type Disposable, DisposableStore } from '../../../base/disposable';
import type { Logger } from '../../../base/log';
import type { EditorPorts } from '../editorTypes';
import type { OfferSet } from '../offerTypes';
import { FileIndex } from './fileIndex';
import type { FileParts } from './fileParts';
import { FileReading } from './fileReading';
import { FilesKind } from './filesKind';
import { findFilesTool, listFilesTool, readFileTool, searchTextTool } from './fileTools';
import { PathGate } from './pathGate';
import { SearchThreads } from './searchThreads';
import { TextSearch } from './textSearch';

export interface FileOffers extends Disposable {
  readonly parts: FileParts;
  readonly set: OfferSet;
}

/** Everything about files that the editor server publishes. `worker` is the bundle `editorWorker.js`. */
export function createFileOffers(
  ports: Pick<EditorPorts, 'workspace' | 'documents' | 'settings'>,
  worker: URL,
  log: Logger,
): FileOffers {
  const store = new DisposableStore();
  const { workspace, documents, settings } = ports;
  const gate = new PathGate({ folders: workspace.folders, settings });
  const index = store.add(new FileIndex({ workspace, documents, settings, gate }, worker, log));
  const threads = store.add(new SearchThreads(worker, log));
  const parts: FileParts = {
    workspace,
    documents,
    gate,
    index,
    threads,
    reading: new FileReading(gate, documents),
    search: new TextSearch(index, threads, gate, documents),
  };
  const set: OfferSet = {
    subject: 'files',
    resources: [new FilesKind(parts)],
    tools: [readFileTool(parts), listFilesTool(parts), findFilesTool(parts), searchTextTool(parts)],
    prompts: [],
  };
  return { parts, set, dispose: () => store.dispose() };
}
