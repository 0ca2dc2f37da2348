import { QuickPickItemKind, type QuickPickItem, ThemeIcon, window } from 'vscode';
import { DisposableStore } from '../../base/disposable';
import type { CatalogTool } from '../../core/catalog/catalogTypes';
import type { Hub } from '../../core/hubTypes';
import { inertLine } from '../interop/text';

type ToolItem = QuickPickItem & { readonly tool?: CatalogTool };

const details = { iconPath: new ThemeIcon('info'), tooltip: 'Show Description and Schema' };

/** Lets the person find one of all tools; what they type is ranked by the catalog's own search. */
export async function pickTool(
  hub: Hub,
  title: string,
  describe: (tool: CatalogTool) => void,
): Promise<CatalogTool | undefined> {
  if (hub.catalog.tools.peek().length === 0) {
    void window.showInformationMessage(
      'No tool is known yet. Tools are listed once their server has been started: see the Servers view.',
    );
    return undefined;
  }
  const store = new DisposableStore();
  const pick = store.add(window.createQuickPick<ToolItem>());
  pick.title = title;
  pick.placeholder = 'Search the tools of all servers. Enter asks for the arguments.';
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = grouped(hub.catalog.tools.peek());
  const fill = async (query: string): Promise<void> => {
    const items = query.trim() === '' ? grouped(hub.catalog.tools.peek()) : await ranked(hub, query);
    // What was typed meanwhile has a search of its own.
    if (query === pick.value && !store.isDisposed) {
      pick.items = items;
    }
  };
  try {
    return await new Promise<CatalogTool | undefined>((resolve) => {
      store.add(pick.onDidChangeValue((query) => void fill(query)));
      store.add(pick.onDidAccept(() => resolve(pick.activeItems[0]?.tool)));
      store.add(pick.onDidHide(() => resolve(undefined)));
      store.add(pick.onDidTriggerItemButton(({ item }) => item.tool && describe(item.tool)));
      pick.show();
    });
  } finally {
    store.dispose();
  }
}

async function ranked(hub: Hub, query: string): Promise<ToolItem[]> {
  // The pick would filter by letters again and hide what only the search finds.
  return (await hub.catalog.search(query, 50)).map(({ tool }) => ({ ...toItem(tool), alwaysShow: true }));
}

function grouped(tools: readonly CatalogTool[]): ToolItem[] {
  const items: ToolItem[] = [];
  let last: string | undefined;
  for (const tool of tools) {
    if (tool.ref.server !== last) {
      last = tool.ref.server;
      items.push({ label: inertLine(tool.key, 80), kind: QuickPickItemKind.Separator });
    }
    items.push(toItem(tool));
  }
  return items;
}

function toItem(tool: CatalogTool): ToolItem {
  const { title, description } = tool.tool;
  const words = tool.problem ? `Cannot be called: ${tool.problem.message}` : (description ?? '');
  return {
    label: inertLine(tool.tool.name, 80),
    description: inertLine([tool.key, title].filter(Boolean).join(' · '), 100),
    detail: inertLine(words, 160),
    buttons: [details],
    tool,
  };
}
