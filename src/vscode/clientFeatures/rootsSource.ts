import type { Root } from '@modelcontextprotocol/client';
import { computed, type ReadonlySignal } from '@preact/signals-core';
import type { RootsSource } from '../../core/clientFeatures/clientFeatureTypes';
import type { WorkspaceFolder } from '../../core/config/configTypes';

/** The workspace folders as roots, for every server; those that are not on a file system are left out (spec: client/roots). */
export function workspaceRoots(folders: ReadonlySignal<readonly WorkspaceFolder[]>): RootsSource {
  const roots = computed<readonly Root[]>(() =>
    folders.value.filter(({ uri }) => uri.startsWith('file:')).map(({ name, uri }) => ({ uri, name })),
  );
  return { rootsFor: () => roots };
}
