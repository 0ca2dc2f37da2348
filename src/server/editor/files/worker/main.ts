import { parentPort } from 'node:worker_threads';
import { PorticoError } from '../../../../base/errors';
import { filterFiles } from './filterFiles';
import { searchFiles } from './searchFiles';
import { WorkspaceFiles } from './workspaceFiles';
import type { SearchParams, WorkerAnswer, WorkerMessage, WorkerRequests, FilterParams } from './workerTypes';

/*
 * The thread that walks, completes and searches. One of them keeps the picture of the workspace; others search, and may be
 * ended at any time.
 */
const files = new WorkspaceFiles();
const tell = (answer: WorkerAnswer): void => parentPort?.postMessage(answer);

parentPort?.on('message', (message: WorkerMessage) => void answer(message));

async function answer(message: WorkerMessage): Promise<void> {
  try {
    tell({ id: message.id, kind: 'result', value: await run(message) });
  } catch (error) {
    tell({ id: message.id, ...failure(error) });
  }
}

function failure(error: unknown): { kind: 'refused'; message: string } | { kind: 'failed'; detail: string } {
  return PorticoError.is(error, 'ARGUMENTS_INVALID')
    ? { kind: 'refused', message: error.message }
    : { kind: 'failed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function run({ id, kind, params }: WorkerMessage): unknown {
  const does: { [K in keyof WorkerRequests]: (params: never) => unknown } = {
    configure: (spec: WorkerRequests['configure']['params']) => files.configure(spec),
    update: (paths: WorkerRequests['update']['params']) => files.update(paths),
    list: () => files.list(),
    fuzzy: (query: WorkerRequests['fuzzy']['params']) => files.fuzzy(query),
    search: (search: SearchParams) => searchFiles(search, (value) => tell({ id, kind: 'progress', value })),
    filter: (filter: FilterParams) => filterFiles(filter),
  };
  return does[kind](params as never);
}
