import { join } from 'node:path';
import { signal } from '@preact/signals-core';
import { type ExtensionContext, workspace } from 'vscode';

import { systemClock } from './base/clock';
import { nodeConfigFiles } from './core/config/nodeConfigFiles';
import { FileListCache } from './core/connections/fileListCache';
import { createHub } from './core/hub';
import { ApprovalDialog } from './vscode/approvals/approvalDialog';
import { workspaceRoots } from './vscode/clientFeatures/rootsSource';
import { editorConfigInputs } from './vscode/config/configInputs';
import { EditorVariables } from './vscode/config/editorVariables';
import { lazyConsentUi } from './vscode/consent/lazyConsent';
import { contributions, registerContributions } from './vscode/contributions';
import { EditorLogs } from './vscode/interop/log';
import { Settings } from './vscode/interop/settings';
import { EditorSecrets, MementoStore } from './vscode/interop/storage';
import { VirtualDocuments } from './vscode/interop/virtualDocuments';

let shutdown: (() => Promise<void>) | undefined;

export function activate(context: ExtensionContext): void {
  const { subscriptions, globalStorageUri } = context;
  const store = <T extends { dispose(): void }>(item: T): T => {
    subscriptions.push(item);
    return item;
  };
  const logs = store(new EditorLogs());
  const settings = store(new Settings());
  const documents = store(new VirtualDocuments());
  const trusted = signal(workspace.isTrusted);
  store(workspace.onDidGrantWorkspaceTrust(() => (trusted.value = true)));
  const inputs = store(editorConfigInputs(globalStorageUri, settings.sources));
  const variables = new EditorVariables(new EditorSecrets(context.secrets));
  const workspaceState = new MementoStore(context.workspaceState);
  const consentUi = lazyConsentUi(workspaceState);
  const hub = store(
    createHub({
      inputs,
      files: nodeConfigFiles,
      variables,
      roots: workspaceRoots(inputs.folders),
      consentUi,
      approvalUi: new ApprovalDialog(documents),
      workspaceState,
      globalState: new MementoStore(context.globalState),
      cache: new FileListCache(join(globalStorageUri.fsPath, 'lists')),
      logFolder: join(globalStorageUri.fsPath, 'calls'),
      logs,
      clock: systemClock,
      limits: settings.limits,
      clientInfo: { name: 'portico', title: 'Portico', version: String(context.extension.packageJSON.version) },
      trusted,
    }),
  );
  shutdown = () => hub.shutdown();
  store(
    registerContributions(contributions({ consentUi, keepSecret: (...secret) => variables.keepSecret(...secret) }), {
      context,
      hub,
      logs,
      settings,
      documents,
    }),
  );
}

/** The editor waits a few seconds for this; by then no child process is left. */
export async function deactivate(): Promise<void> {
  await shutdown?.();
}
