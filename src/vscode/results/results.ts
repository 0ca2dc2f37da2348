import { workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { scheme } from '../../ids';
import type { VirtualDocuments } from '../interop/virtualDocuments';
import { ReadOnlyFiles } from './readOnlyFiles';

/** Mounts the read-only documents as the file system `portico-mcp:`. */
export function registerResults(documents: VirtualDocuments): Disposable {
  const store = new DisposableStore();
  const files = store.add(new ReadOnlyFiles(documents));
  store.add(workspace.registerFileSystemProvider(scheme, files, { isReadonly: true, isCaseSensitive: true }));
  return store;
}
