import { languages, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { commands, scheme } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Contribution, Services } from '../interop/contribution';
import { ReadOnlyFiles } from './readOnlyFiles';
import type { ResourceDocuments } from './resourceDocuments';

/** Mounts the read-only documents as the file system `portico-mcp:`, resources of servers among them. */
export const documentsContribution: Contribution = { name: 'documents', register: registerDocuments };

function registerDocuments(services: Services): Disposable {
  const { documents, logs } = services;
  const store = new DisposableStore();
  let loading: Promise<ResourceDocuments> | undefined;
  const resources = (): Promise<ResourceDocuments> =>
    (loading ??= import('./resourceDocuments').then(({ ResourceDocuments }) =>
      store.add(new ResourceDocuments(services, (uris) => files.changed(uris))),
    ));
  const files = store.add(new ReadOnlyFiles(documents, resources));
  store.add(workspace.registerFileSystemProvider(scheme, files, { isReadonly: true, isCaseSensitive: true }));
  store.add(
    languages.registerDocumentLinkProvider(
      { scheme },
      {
        provideDocumentLinks: async (document, token) =>
          (await import('./withoutCommandLinks')).withoutCommandLinks.provideDocumentLinks(document, token),
      },
    ),
  );
  store.add(registerCommand(commands.openResource, logs, async (resource) => (await resources()).show(resource)));
  store.add(registerCommand(commands.saveResourceAs, logs, async (of) => (await resources()).save(of)));
  store.add(registerCommand(commands.reloadResource, logs, async (uri) => (await resources()).reload(uri)));
  return store;
}
