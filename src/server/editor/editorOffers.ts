import { type Clock, systemClock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { AnalysisLog } from './diagnostics/analysisLog';
import { DiagnosticsKind } from './diagnostics/diagnosticsKind';
import { DiagnosticsReader } from './diagnostics/diagnosticsReader';
import { diagnosticsTool } from './diagnostics/diagnosticsTool';
import { applyEditTool } from './edits/applyEdit';
import { applyCodeActionTool, codeActionsTool } from './edits/codeActionTools';
import { getResultTool, showDiffTool } from './edits/diffTools';
import { formatTool, renamePreviewTool, renameTool } from './edits/refactorTools';
import type { EditorParts } from './editorParts';
import type { EditorPorts } from './editorTypes';
import { GitKind, gitChangesTool } from './git/gitOffers';
import type { OfferSet } from './offerTypes';
import { PendingWork } from './pendingWork';
import { explainSelectionPrompt, fixFilePrompt, reviewPrompt, writeTestPrompt } from './prompts/editorPrompts';
import { ResultPages } from './resultPages';
import { locationTools } from './symbols/locationTools';
import { SymbolsKind } from './symbols/symbolsKind';
import { documentSymbolsTool, workspaceSymbolsTool } from './symbols/symbolTools';
import { taskTools } from './tasks/taskTools';
import { ViewsKind } from './views/viewsKind';
import { viewTools } from './views/viewTools';
import { TextOnDisk } from './textOnDisk';
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
  const disk = new TextOnDisk(files);
  const parts: EditorParts = {
    ports,
    files,
    disk,
    diagnostics: new DiagnosticsReader(ports, files, disk, log, clock),
    pages: new ResultPages(),
    pending: store.add(new PendingWork(clock)),
    clock,
  };
  const sets: readonly OfferSet[] = [
    {
      subject: 'diagnostics',
      resources: [new DiagnosticsKind(parts)],
      tools: [diagnosticsTool(parts), codeActionsTool(parts), applyCodeActionTool(parts)],
      prompts: [fixFilePrompt(parts)],
    },
    {
      subject: 'views',
      resources: [new ViewsKind(parts)],
      tools: [...viewTools(parts)],
      prompts: [explainSelectionPrompt(parts)],
    },
    {
      subject: 'symbols',
      resources: [new SymbolsKind(parts)],
      tools: [
        documentSymbolsTool(parts),
        workspaceSymbolsTool(parts),
        ...locationTools(parts),
        renamePreviewTool(parts),
        renameTool(parts),
      ],
      prompts: [writeTestPrompt(parts)],
    },
    {
      subject: 'git',
      resources: [new GitKind(parts)],
      tools: [gitChangesTool(parts)],
      prompts: [reviewPrompt(parts)],
    },
    {
      subject: 'files',
      resources: [],
      tools: [applyEditTool(parts), formatTool(parts), showDiffTool(parts)],
      prompts: [],
    },
    { resources: [], tools: [getResultTool(parts)], prompts: [] },
    { subject: 'tasks', resources: [], tools: taskTools(parts), prompts: [] },
  ];
  return { sets, dispose: () => store.dispose() };
}
