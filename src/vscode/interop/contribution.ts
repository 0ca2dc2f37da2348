import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { Hub } from '../../core/hubTypes';
import type { KnownResources } from './knownResources';
import type { Listening } from './listening';
import type { EditorLogs } from './log';
import type { PromptDrafts } from './promptDrafts';
import type { Settings } from './settings';
import type { Sharing } from './sharing';
import type { VirtualDocuments } from './virtualDocuments';

/** What every surface is given. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly hub: Hub;
  readonly logs: EditorLogs;
  readonly settings: Settings;
  readonly documents: VirtualDocuments;
  readonly drafts: PromptDrafts;
  readonly resources: KnownResources;
  /** Loads the window's listener with its first use. */
  readonly listening: () => Promise<Listening>;
  readonly sharing: Sharing;
}

/** One thing that the extension adds to the editor. */
export interface Contribution {
  /** As the log names it. */
  readonly name: string;
  /** Registers it; what is returned takes everything away again. */
  register(services: Services): Disposable;
}
