import type { Resource } from '@modelcontextprotocol/client';
import { type QuickPickItem, ThemeIcon, window } from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { CatalogEntry } from '../../core/catalog/catalogTypes';
import { commands } from '../../ids';
import { runCommand } from '../interop/commands';
import type { Services } from '../interop/contribution';
import { inertLine } from '../interop/text';

type ResourceItem = QuickPickItem & { readonly entry?: CatalogEntry<Resource> };

const nothing: ResourceItem = { label: 'No resource fits. Try other or fewer words.', alwaysShow: true };

/** What is typed within this time is searched for once, in milliseconds. */
const debounceMs = 80;
const most = 100;

const addToChat = { iconPath: new ThemeIcon('attach'), tooltip: 'Add to Chat' };

/** Lets the person find one of all resources by the catalog's own search, and opens it. */
export async function findResource({ hub, logs }: Services): Promise<void> {
  hub.freshen();
  if (hub.catalog.resources.peek().length === 0) {
    void window.showInformationMessage(
      'No resource is known yet. Resources are listed once their server has been started: see the Servers view.',
    );
    return;
  }
  const store = new DisposableStore();
  const pick = store.add(window.createQuickPick<ResourceItem>());
  pick.title = 'Find Resource';
  pick.placeholder = 'Search the resources of all servers by name, URI or description. Enter opens one.';
  let debounce: Disposable | undefined;
  store.defer(() => debounce?.dispose());
  const fill = async (query: string): Promise<void> => {
    const found = await hub.catalog.searchResources(query, most);
    // What was typed meanwhile has a search of its own.
    if (query === pick.value && !store.isDisposed) {
      pick.items = found.length > 0 ? found.map(toItem) : [nothing];
      pick.busy = false;
    }
  };
  const search = (query: string): void => {
    pick.busy = true;
    fill(query).catch((error: unknown) => {
      pick.busy = false;
      logs.own.error('The search for resources failed.', error);
    });
  };
  try {
    const entry = await new Promise<CatalogEntry<Resource> | undefined>((resolve) => {
      store.add(
        pick.onDidChangeValue((query) => {
          debounce?.dispose();
          debounce = systemClock.after(debounceMs, () => search(query));
        }),
      );
      store.add(
        pick.onDidAccept(() => {
          resolve(pick.selectedItems[0]?.entry);
          // A slow server must not keep the box in front of the editor.
          pick.hide();
        }),
      );
      store.add(pick.onDidHide(() => resolve(undefined)));
      store.add(
        pick.onDidTriggerItemButton(({ item: { entry } }) => {
          pick.hide();
          if (entry) {
            void runCommand(commands.attachResource, { server: entry.server, uri: entry.item.uri });
          }
        }),
      );
      search('');
      pick.show();
    });
    if (entry) {
      await runCommand(commands.openResource, { server: entry.server, uri: entry.item.uri });
    }
  } finally {
    store.dispose();
  }
}

function toItem(entry: CatalogEntry<Resource>): ResourceItem {
  const { name, title, uri } = entry.item;
  return {
    label: inertLine(title ?? '', 80) || inertLine(name, 80) || inertLine(uri, 80),
    description: [inertLine(entry.key, 40), inertLine(uri, 120)].join(' · '),
    iconPath: new ThemeIcon('file'),
    // The search ranks: the pick would filter by letters again and hide what only the search finds.
    alwaysShow: true,
    buttons: [addToChat],
    entry,
  };
}
