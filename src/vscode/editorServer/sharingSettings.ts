import { computed, type ReadonlySignal } from '@preact/signals-core';
import type { DisposableStore } from '../../base/disposable';
import { isObject } from '../../base/jsonObject';
import { defaultSecrets } from '../../server/editor/files/secretFiles';
import type { EditorServerSettings } from '../../server/editor/editorTypes';
import { settings } from '../../ids';
import { readSetting } from '../interop/settings';

/** The settings of sharing. */
export interface SharingSettings {
  readonly editor: ReadonlySignal<EditorServerSettings>;
  readonly savesEdits: ReadonlySignal<boolean>;
  /** By agent id, the words of what it may have. An agent without any has all. */
  readonly scopes: ReadonlySignal<Readonly<Record<string, readonly string[]>>>;
  /** 0 for any. */
  readonly preferredPort: ReadonlySignal<number>;
}

/** Reads them for as long as the store lives. */
export function sharingSettings(store: DisposableStore): SharingSettings {
  const isOn = (value: unknown): boolean => value === true;
  const editTools = readSetting(store, settings.agentsEditTools, isOn);
  const runTools = readSetting(store, settings.agentsRunTools, isOn);
  // A list that is none must not let secrets out.
  const secrets = readSetting(store, settings.agentsSecrets, (value) => strings(value) ?? defaultSecrets);
  const allowedDirectories = readSetting(store, settings.agentsAllowedDirectories, (value) => strings(value) ?? []);
  const hiddenSources = readSetting(store, settings.agentsHiddenSources, (value) => strings(value) ?? []);
  return {
    editor: computed(() => ({
      groups: new Set([...(editTools.value ? (['edit'] as const) : []), ...(runTools.value ? (['run'] as const) : [])]),
      secrets: secrets.value,
      allowedDirectories: allowedDirectories.value,
      hiddenSources: hiddenSources.value,
    })),
    savesEdits: readSetting(store, settings.agentsSaveEdits, isOn),
    scopes: readSetting(store, settings.agentsScopes, (value) =>
      // An entry that is no list is kept as one that allows nothing: it was meant to bound.
      Object.fromEntries(Object.entries(isObject(value) ? value : {}).map(([id, words]) => [id, strings(words) ?? []])),
    ),
    preferredPort: readSetting(store, settings.agentsPreferredPort, (value) =>
      typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536 ? value : 0,
    ),
  };
}

function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}
