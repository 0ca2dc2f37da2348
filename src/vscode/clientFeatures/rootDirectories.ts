import { signal } from '@preact/signals-core';
import { homedir } from 'node:os';
import { workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Logger } from '../../base/log';
import type { RootsSource } from '../../core/clientFeatures/clientFeatureTypes';
import { RootDirectories } from '../../core/clientFeatures/rootDirectories';
import type { RootSettings } from '../../core/clientFeatures/rootLists';
import { boundedPresence } from '../../core/clientFeatures/rootPresence';
import { settings } from '../../ids';
import { openFolders, settingsLayers } from '../interop/settingsLayers';

/** The directories that servers are told of, live. */
export function openRootDirectories(log: Logger): RootsSource & Disposable {
  const store = new DisposableStore();
  const current = signal(rootSettings());
  const read = (): void => {
    const next = rootSettings();
    if (JSON.stringify(next) !== JSON.stringify(current.peek())) {
      current.value = next;
    }
  };
  store.add(workspace.onDidChangeWorkspaceFolders(read));
  store.add(workspace.onDidChangeConfiguration(read));
  const directories = store.add(new RootDirectories(current, boundedPresence(), log));
  return { rootsFor: (server) => directories.rootsFor(server), dispose: () => store.dispose() };
}

/** Folders and settings as they are now. */
export function rootSettings(): RootSettings {
  return {
    folders: openFolders(),
    include: settingsLayers(settings.rootsInclude),
    exclude: settingsLayers(settings.rootsExclude),
    home: homedir(),
    platform: process.platform,
  };
}
