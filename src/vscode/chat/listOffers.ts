import type { CatalogEntry } from '../../core/catalog/catalogTypes';
import type { Hub } from '../../core/hubTypes';
import { commands } from '../../ids';
import { codeSpan, commandLink, escapeMarkdown } from '../interop/markdown';
import { counted, plainLine } from '../interop/text';

export type OfferKind = 'tools' | 'resources' | 'prompts';

/** Entries shown per server; a catalogue of thousands is for Find Tool…. */
const shown = 60;

/** The commands that links of a list run; the list may be trusted with these alone. */
export const offerCommands: Readonly<Record<OfferKind, readonly string[]>> = {
  tools: [],
  resources: [commands.openResource, commands.openTemplate],
  prompts: [commands.runPrompt],
};

interface Offer {
  readonly key: string;
  readonly name: string;
  readonly words: string;
  /** What a click on the name runs. */
  readonly run?: { readonly command: string; readonly argument: unknown };
}

/** What the servers offer as Markdown, by server, from what is known already: nothing is started for it. */
export function listOffers(hub: Hub, kind: OfferKind, filter: string): string {
  const wanted = filter.trim().toLowerCase();
  const offers = offersOf(hub, kind).filter(({ key, name, words }) =>
    [key, name, words].some((text) => text.toLowerCase().includes(wanted)),
  );
  if (offers.length === 0) {
    return wanted === ''
      ? `No ${kind} are known. They are listed once a server that has some was started: see the Servers view.`
      : `No ${kind} match “${escapeMarkdown(filter, 80)}”.`;
  }
  const servers = new Map<string, Offer[]>();
  for (const one of offers) {
    servers.set(one.key, [...(servers.get(one.key) ?? []), one]);
  }
  return [...servers].map(([key, all]) => section(key, kind, all)).join('\n\n');
}

function section(key: string, kind: OfferKind, offers: readonly Offer[]): string {
  const lines = offers.slice(0, shown).map(({ name, words, run }) => {
    const about = plainLine(words, 120);
    const label = run
      ? commandLink(plainLine(name, 200) || '(no name)', run.command, run.argument)
      : codeSpan(name, 200);
    return `- ${label}${about === '' ? '' : ` – ${escapeMarkdown(about)}`}`;
  });
  if (offers.length > shown) {
    lines.push(`- … and ${offers.length - shown} more`);
  }
  return [`**${escapeMarkdown(key)}** · ${counted(offers.length, kind.slice(0, -1))}\n`, ...lines].join('\n');
}

function offersOf({ catalog }: Hub, kind: OfferKind): Offer[] {
  switch (kind) {
    case 'tools':
      return catalog.tools.peek().map(({ key, tool }) => offer(key, tool.name, tool.description ?? tool.title));
    case 'resources':
      return [
        ...catalog.resources.peek().map((entry) => listed(entry, entry.item.uri, commands.openResource, 'uri')),
        ...catalog.templates
          .peek()
          .map((entry) => listed(entry, entry.item.uriTemplate, commands.openTemplate, 'template')),
      ];
    case 'prompts':
      return catalog.prompts.peek().map((entry) => listed(entry, entry.item.name, commands.runPrompt, 'prompt'));
  }
}

interface Described {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

/** `id` is what the server knows the entry by, and `argument` the name under which the command takes it. */
function listed({ server, key, item }: CatalogEntry<Described>, id: string, command: string, argument: string): Offer {
  const title = item.title ?? (item.name === id ? undefined : item.name);
  const words = [title, item.description].filter(Boolean).join(': ');
  return { ...offer(key, id, words), run: { command, argument: { server, [argument]: id } } };
}

function offer(key: string, name: string, words: string | undefined): Offer {
  return { key, name, words: words ?? '' };
}
