import { workspace } from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { scheme } from '../../ids';
import type { Contribution } from '../interop/contribution';
import { ReadOnlyFiles } from './readOnlyFiles';

/** Mounts the read-only documents as the file system `portico-mcp:`. */
export const resultsContribution: Contribution = {
  name: 'results',
  register({ documents }) {
    const store = new DisposableStore();
    const files = store.add(new ReadOnlyFiles(documents));
    store.add(workspace.registerFileSystemProvider(scheme, files, { isReadonly: true, isCaseSensitive: true }));
    return store;
  },
};
