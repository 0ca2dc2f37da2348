import {
  EventEmitter,
  type FileChangeEvent,
  FileSystemError,
  type FileSystemProvider,
  type Uri,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { commands, promptScheme } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Contribution, Services } from '../interop/contribution';
import type { PromptRunner } from './promptRunner';

/** Run Prompt…: a server's prompt from its arguments to where it goes, by way of a draft that can be edited. */
export const promptsContribution: Contribution = { name: 'prompts', register: registerPrompts };

function registerPrompts(services: Services): Disposable {
  const { logs } = services;
  const store = new DisposableStore();
  let loading: Promise<PromptRunner> | undefined;
  const runner = (): Promise<PromptRunner> =>
    (loading ??= import('./promptRunner').then((module) => store.add(new module.PromptRunner(services))));
  store.add(workspace.registerFileSystemProvider(promptScheme, draftFiles(services), { isCaseSensitive: true }));
  store.add(registerCommand(commands.runPrompt, logs, async (row) => (await runner()).run(row)));
  for (const [id, way] of [
    [commands.sendPromptToPortico, 'portico'],
    [commands.sendPromptToChat, 'chat'],
    [commands.insertPrompt, 'insert'],
    [commands.copyPrompt, 'copy'],
  ] as const) {
    store.add(registerCommand(id, logs, async (document) => (await runner()).send(way, document)));
  }
  return store;
}

/** The drafts as files; a tab of one that the editor restores comes here before anything was run. */
function draftFiles({ drafts }: Services): FileSystemProvider {
  const files = () => import('./draftFiles');
  const refuse = (uri: Uri): never => {
    throw FileSystemError.NoPermissions(uri);
  };
  return {
    onDidChangeFile: new EventEmitter<FileChangeEvent[]>().event,
    watch: () => ({ dispose: () => undefined }),
    stat: async (uri) => (await files()).statDraft(drafts, uri),
    readFile: async (uri) => (await files()).readDraft(drafts, uri),
    writeFile: async (uri, content) => (await files()).writeDraft(drafts, uri, content),
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
}
