import type { Clock } from '../../base/clock';
import type { DiagnosticsReader } from './diagnostics/diagnosticsReader';
import type { EditorPorts } from './editorTypes';
import type { PendingWork } from './pendingWork';
import type { ResultPages } from './resultPages';
import type { TextOnDisk } from './textOnDisk';
import type { WorkspaceFiles } from './workspaceTypes';

/** What the offers are made of. */
export interface EditorParts {
  readonly ports: EditorPorts;
  readonly files: WorkspaceFiles;
  readonly disk: TextOnDisk;
  readonly diagnostics: DiagnosticsReader;
  readonly pages: ResultPages;
  readonly pending: PendingWork;
  readonly clock: Clock;
}
