import { type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import type { Prompt } from '@modelcontextprotocol/client';
import type { CatalogEntry } from '../../core/catalog/catalogTypes';
import type { Hub } from '../../core/hubTypes';
import { commands } from '../../ids';
import { runCommand } from '../interop/commands';
import { inertLine } from '../interop/text';

type PromptItem = QuickPickItem & { readonly entry?: CatalogEntry<Prompt> };

/** Lets the person choose one of all prompts that are known. */
export async function pickPrompt({ catalog }: Pick<Hub, 'catalog'>): Promise<CatalogEntry<Prompt> | undefined> {
  const known = catalog.prompts.peek();
  if (known.length === 0) {
    const start = 'Start All Servers';
    const choice = await window.showInformationMessage(
      'No prompt is known yet. Prompts are listed once a server that has some was started.',
      start,
    );
    if (choice === start) {
      await runCommand(commands.startAll);
    }
    return undefined;
  }
  const picked = await window.showQuickPick(grouped(known), {
    title: 'Run Prompt',
    placeHolder: 'Search the prompts of all servers. Enter asks for the arguments.',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.entry;
}

function grouped(entries: readonly CatalogEntry<Prompt>[]): PromptItem[] {
  const items: PromptItem[] = [];
  let last: string | undefined;
  for (const entry of entries) {
    if (entry.server !== last) {
      last = entry.server;
      items.push({ label: inertLine(entry.key, 80), kind: QuickPickItemKind.Separator });
    }
    const { name, title, description } = entry.item;
    items.push({
      label: inertLine(title ?? '', 80) || inertLine(name, 80),
      description: inertLine([entry.key, title === undefined ? '' : name].filter(Boolean).join(' · '), 100),
      detail: inertLine(entry.problem?.message ?? description ?? '', 160),
      entry,
    });
  }
  return items;
}
