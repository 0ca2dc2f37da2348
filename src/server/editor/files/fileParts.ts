import type { DocumentsPort, WorkspacePort } from '../editorTypes';
import type { FileIndex } from './fileIndex';
import type { FileReading } from './fileReading';
import type { PathGate } from './pathGate';
import type { SearchThreads } from './searchThreads';
import type { TextSearch } from './textSearch';

/** What the offers about files are made of. */
export interface FileParts {
  readonly workspace: WorkspacePort;
  readonly documents: DocumentsPort;
  readonly gate: PathGate;
  readonly index: FileIndex;
  readonly reading: FileReading;
  readonly threads: SearchThreads;
  readonly search: TextSearch;
}
