import { type Clock, systemClock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { AnalysisLog } from './diagnostics/analysisLog';
import { DiagnosticsKind } from './diagnostics/diagnosticsKind';
import { DiagnosticsReader } from './diagnostics/diagnosticsReader';
import { diagnosticsTool } from './diagnostics/diagnosticsTool';
import type { EditorParts } from './editorParts';
import type { EditorPorts } from './editorTypes';
import type { OfferSet } from './offerTypes';
import { ResultPages } from './resultPages';
import type { WorkspaceFiles } from './workspaceTypes';

export interface EditorOffers extends Disposable {
  readonly sets: readonly OfferSet[];
}

/** Everything about the editor that is no file: what `EditorServer` publishes beside the files. */
export function createEditorOffers(
  ports: EditorPorts,
  files: WorkspaceFiles,
  clock: Clock = systemClock,
): EditorOffers {
  const store = new DisposableStore();
  const log = store.add(new AnalysisLog(ports, clock, files.platform));
  const parts: EditorParts = {
    ports,
    files,
    diagnostics: new DiagnosticsReader(ports, files, log, clock),
    pages: new ResultPages(),
    clock,
  };
  const sets: readonly OfferSet[] = [
    { subject: 'diagnostics', resources: [new DiagnosticsKind(parts)], tools: [diagnosticsTool(parts)], prompts: [] },
  ];
  return { sets, dispose: () => store.dispose() };
}
