import { effect } from '@preact/signals-core';
import { CodeLens, languages, Range, type TextDocument, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ServerView } from '../../core/hubTypes';
import { commands } from '../../ids';
import type { Services } from '../interop/contribution';
import { fileName } from '../interop/fileName';
import { rootPaths } from '../interop/rootsText';
import { trustName } from '../interop/trustName';
import { accountLines } from './accountLines';
import { rootsHeading, serverDetails } from './serverDetails';

/** What follows each open document of details, by its path. */
const followers = new Map<string, Disposable>();

/** Shows a server's details. While they are open they follow its roots, and *Change…* stands above those. */
export async function openDetails({ context, hub, documents, settings }: Services, view: ServerView): Promise<void> {
  const [roots, accounts] = await Promise.all([hub.rootsOf(view.id), accountLines(hub, view)]);
  const path = `/documents/${fileName(`${view.definition.key}.md`)}`;
  const put = () =>
    documents.put(
      path,
      serverDetails(view, {
        roots: rootPaths(roots.value),
        accounts,
        trusted: settings.trustedServers.peek().includes(trustName(view.definition)),
        limits: settings.limits,
        now: Date.now(),
      }),
    );
  const uri = put();
  await documents.show(uri, 'markdown');
  followers.get(path)?.dispose();
  const store = new DisposableStore();
  context.subscriptions.push(store);
  followers.set(path, store);
  let known = roots.peek();
  store.defer(
    effect(() => {
      if (roots.value !== known) {
        known = roots.value;
        put();
      }
    }),
  );
  store.add(
    languages.registerCodeLensProvider(
      { scheme: uri.scheme, pattern: uri.path },
      { provideCodeLenses: (document) => [changeRootsLens(document, view.id)] },
    ),
  );
  store.add(
    workspace.onDidCloseTextDocument((document) => {
      if (document.uri.toString() === uri.toString()) {
        followers.delete(path);
        store.dispose();
      }
    }),
  );
}

function changeRootsLens(document: TextDocument, server: string): CodeLens {
  const start = document.positionAt(document.getText().indexOf(`\n${rootsHeading}\n`) + 1);
  return new CodeLens(new Range(start, start), {
    title: 'Change…',
    tooltip: 'Change which directories the server is told of',
    command: commands.changeRoots,
    arguments: [server],
  });
}
