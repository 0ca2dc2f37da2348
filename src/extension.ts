import { join } from 'node:path';
import { signal } from '@preact/signals-core';
import { type ExtensionContext, workspace } from 'vscode';
import { systemClock } from './base/clock';
import { DisposableStore } from './base/disposable';
import { nodeConfigFiles } from './core/config/nodeConfigFiles';
import { FileListCache } from './core/connections/fileListCache';
import { createHub } from './core/hub';
import { lazyApprovalUi } from './vscode/approvals/lazyApproval';
import { lazyAuthorizationUi } from './vscode/auth/lazyAuthorization';
import { lazyElicitationUi } from './vscode/clientFeatures/lazyElicitation';
import { editorRoots } from './vscode/clientFeatures/rootsSource';
import { editorSampling } from './vscode/clientFeatures/sampling';
import { editorConfigInputs } from './vscode/config/configInputs';
import { EditorVariables } from './vscode/config/editorVariables';
import { lazyConsentUi } from './vscode/consent/lazyConsent';
import { contributions, registerContributions } from './vscode/contributions';
import { LazySharing } from './vscode/editorServer/lazySharing';
import type { Services } from './vscode/interop/contribution';
import { KnownResources } from './vscode/interop/knownResources';
import type { Listening } from './vscode/interop/listening';
import { EditorLogs } from './vscode/interop/log';
import { PromptDrafts } from './vscode/interop/promptDrafts';
import { Settings } from './vscode/interop/settings';
import { EditorSecrets, MementoStore } from './vscode/interop/storage';
import { VirtualDocuments } from './vscode/interop/virtualDocuments';
import type { ServersPorts } from './vscode/servers/serversPorts';

let shutdown: (() => Promise<void>) | undefined;

export function activate(context: ExtensionContext): void {
  const { globalStorageUri } = context;
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const logs = store.add(new EditorLogs());
  const settings = store.add(new Settings());
  const documents = store.add(new VirtualDocuments());
  const resources = store.add(new KnownResources());
  const trusted = signal(workspace.isTrusted);
  store.add(workspace.onDidGrantWorkspaceTrust(() => (trusted.value = true)));
  const inputs = store.add(editorConfigInputs(globalStorageUri, settings.sources));
  const secrets = new EditorSecrets(context.secrets);
  const variables = new EditorVariables(secrets);
  const workspaceState = new MementoStore(context.workspaceState);
  const roots = store.add(editorRoots(logs.own));
  const consentUi = lazyConsentUi(workspaceState, roots);
  const sampling = editorSampling(() => services);
  const ownUrls = signal<readonly string[]>([]);
  const sharing = store.add(new LazySharing(() => services));
  const hub = store.add(
    createHub({
      inputs,
      files: nodeConfigFiles,
      variables,
      roots,
      consentUi,
      approvalUi: lazyApprovalUi(documents),
      elicitationUi: lazyElicitationUi(context.extensionUri, settings.elicitationWhere),
      sampling: sampling.load,
      auth: {
        secrets,
        ui: store.add(lazyAuthorizationUi(logs.own)),
        clientMetadataUrl: settings.clientMetadataUrl,
        lockFolder: join(globalStorageUri.fsPath, 'locks'),
      },
      workspaceState,
      globalState: new MementoStore(context.globalState),
      processFolder: join(globalStorageUri.fsPath, 'processes'),
      cache: new FileListCache(join(globalStorageUri.fsPath, 'lists')),
      logFolder: join(globalStorageUri.fsPath, 'calls'),
      logs,
      clock: systemClock,
      limits: settings.limits,
      network: settings.network,
      logLevel: settings.serverLogLevel,
      clientInfo: { name: 'portico', title: 'Portico', version: String(context.extension.packageJSON.version) },
      own: { paths: [context.asAbsolutePath('dist/bridge.js')], urls: ownUrls },
      trusted,
    }),
  );
  shutdown = () => {
    // At once: a reload that follows publishes this window anew.
    sharing.dispose();
    return hub.shutdown();
  };
  let listening: Promise<Listening> | undefined;
  const loadListener = async (): Promise<Listening> => {
    const { WindowListener } = await import('./vscode/gateway/windowListener');
    return store.add(new WindowListener(logs.own, ownUrls));
  };
  const services: Services = {
    context,
    hub,
    logs,
    settings,
    documents,
    drafts: new PromptDrafts(),
    resources,
    listening: () => (listening ??= loadListener()),
    sharing,
  };
  const keepSecret: ServersPorts['keepSecret'] = (...secret) => variables.keepSecret(...secret);
  const all = contributions({ consentUi, keepSecret, sampling: sampling.contribution, sharing: sharing.contribution });
  store.add(registerContributions(all, services));
}

/** The editor waits a few seconds for this; by then no child process is left. */
export async function deactivate(): Promise<void> {
  await shutdown?.();
}
