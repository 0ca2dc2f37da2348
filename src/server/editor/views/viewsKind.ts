import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server';
import { effect } from '@preact/signals-core';
import { type Disposable, DisposableStore } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import type { EditorParts } from '../editorParts';
import { jsonResource } from '../jsonResource';
import type { ResourceKind } from '../offerTypes';
import { activeView, openView } from './viewState';

const views = {
  'editor://active': {
    name: 'active-editor',
    title: 'Active editor',
    description: 'The file that the person has in front of them, what is visible of it, and whether it is saved.',
  },
  'editor://selection': {
    name: 'selection',
    title: 'Selection',
    description: 'What the person has selected, with its text and place.',
  },
  'editor://open': { name: 'open-editors', title: 'Open editors', description: 'The files that are open in tabs.' },
} as const;

type ViewUri = keyof typeof views;

/** What the person sees: the active editor, the selection, the open editors. */
export class ViewsKind implements ResourceKind {
  constructor(private readonly parts: EditorParts) {}

  curated(): readonly Resource[] {
    return Object.entries(views).map(([uri, view]) => ({ uri, ...view, mimeType: 'application/json' }));
  }

  templates(): readonly [] {
    return [];
  }

  owns(uri: string): boolean {
    return /^editor:\/\//i.test(uri);
  }

  async read(uri: string): Promise<ReadResourceResult> {
    return jsonResource(uri, await this.contentOf(viewOf(uri)));
  }

  async complete(): Promise<undefined> {
    return undefined;
  }

  async watch(uri: string, changed: () => void): Promise<Disposable> {
    const { view, documents } = this.parts.ports;
    const which = viewOf(uri);
    const store = new DisposableStore();
    let first = true;
    store.defer(
      effect(() => {
        void (which === 'editor://open' ? view.editors.value : view.active.value);
        if (!first) {
          changed();
        }
        first = false;
      }),
    );
    store.add(
      documents.onDidChange((document) => {
        if (which !== 'editor://open' && document === view.active.peek()?.uri) {
          changed();
        }
      }),
    );
    return store;
  }

  private async contentOf(uri: ViewUri): Promise<unknown> {
    if (uri === 'editor://open') {
      return openView(this.parts);
    }
    const active = await activeView(this.parts);
    if (active === undefined) {
      return { file: null };
    }
    if ('withheld' in active || uri === 'editor://selection') {
      return active;
    }
    const { selections, ...rest } = active;
    return { ...rest, cursor: selections[0] && { line: selections[0].endLine, column: selections[0].endColumn } };
  }
}

function viewOf(uri: string): ViewUri {
  const known = uri.toLowerCase();
  if (!(known in views)) {
    throw new PorticoError('RESOURCE_UNKNOWN', `Use one of ${Object.keys(views).join(', ')}.`);
  }
  return known as ViewUri;
}
