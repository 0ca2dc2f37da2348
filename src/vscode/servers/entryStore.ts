import { type ConfigurationScope, env, Uri, workspace } from 'vscode';
import type { ConfigEdits, ConfigSource, EntryPath, TextEdit } from '../../core/config/configTypes';
import { settings } from '../../ids';
import type { Undo } from '../interop/offerUndo';
import { editFile } from './fileEdit';
import { targetOf } from './openEntry';

type Entries = Readonly<Record<string, unknown>>;

/** A change of one entry, for a file and for the bare value of `portico.servers`. */
interface Change {
  readonly key: string;
  readonly inFile: (edits: ConfigEdits, text: string, path: EntryPath) => readonly TextEdit[];
  readonly inValue: (entries: Entries) => Entries;
}

/** Writes entries where they are kept: into the file, or by the editor where the settings' file is out of reach. */
export class EntryStore {
  constructor(private readonly edits: () => Promise<ConfigEdits>) {}

  /** `text` is the entry with its comments, where there are some to keep. */
  set(source: ConfigSource, key: string, entry: unknown, text?: string): Promise<Undo> {
    return this.change(source, {
      key,
      inFile: (edits, file, path) =>
        text === undefined ? edits.setEntry(file, path, entry) : edits.setEntryText(file, path, text),
      inValue: (entries) => ({ ...entries, [key]: entry }),
    });
  }

  remove(source: ConfigSource, key: string): Promise<Undo> {
    return this.change(source, {
      key,
      inFile: (edits, text, path) => edits.removeEntry(text, path),
      inValue: ({ [key]: _, ...rest }) => rest,
    });
  }

  setDisabled(source: ConfigSource, key: string, disabled: boolean): Promise<Undo> {
    return this.change(source, {
      key,
      inFile: (edits, text, path) => edits.setDisabled(text, path, disabled),
      inValue: (entries) => ({ ...entries, [key]: withDisabled(entries[key], disabled) }),
    });
  }

  private async change(source: ConfigSource, { key, inFile, inValue }: Change): Promise<Undo> {
    const edits = await this.edits();
    const { file } = source;
    if (file !== undefined && isWatched(source)) {
      return editFile(file, (text) => inFile(edits, text, edits.entryPath(source, key)));
    }
    const before = valueOf(source);
    const after = inValue(before ?? {});
    await write(source, after);
    return async () => {
      const untouched = JSON.stringify(valueOf(source)) === JSON.stringify(after);
      if (untouched) {
        await write(source, before);
      }
      return untouched;
    };
  }
}

/** In a remote window nothing watches the file of the person's own settings: what the editor writes itself counts at once. */
function isWatched({ kind, scope }: ConfigSource): boolean {
  return kind !== 'settings' || scope !== 'user' || env.remoteName === undefined;
}

function valueOf(source: ConfigSource): Entries | undefined {
  const inspected = workspace.getConfiguration(undefined, scopeOf(source)).inspect<Entries>(settings.servers);
  return {
    user: inspected?.globalValue,
    workspace: inspected?.workspaceValue,
    folder: inspected?.workspaceFolderValue,
  }[source.scope];
}

async function write(source: ConfigSource, value: Entries | undefined): Promise<void> {
  await workspace.getConfiguration(undefined, scopeOf(source)).update(settings.servers, value, targetOf(source));
}

function scopeOf({ folder }: ConfigSource): ConfigurationScope | null {
  return folder ? Uri.parse(folder.uri) : null;
}

function withDisabled(entry: unknown, disabled: boolean): unknown {
  const { enabled: _, disabled: __, ...rest } = (entry ?? {}) as Record<string, unknown>;
  return disabled ? { ...rest, disabled } : rest;
}
