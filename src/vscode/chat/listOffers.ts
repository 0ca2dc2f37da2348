import type { CatalogEntry } from '../../core/catalog/catalogTypes';
import type { Hub } from '../../core/hubTypes';
import { codeSpan, escapeMarkdown } from '../interop/markdown';
import { counted, plainLine } from '../interop/text';

export type OfferKind = 'tools' | 'resources' | 'prompts';

/** Entries shown per server; a catalogue of thousands is for Find Tool…. */
const shown = 60;

interface Offer {
  readonly key: string;
  readonly name: string;
  readonly words: string;
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
  const lines = offers.slice(0, shown).map(({ name, words }) => {
    const about = plainLine(words, 120);
    return `- ${codeSpan(name, 200)}${about === '' ? '' : ` – ${escapeMarkdown(about)}`}`;
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
      return [...entries(catalog.resources.peek(), 'uri'), ...entries(catalog.templates.peek(), 'uriTemplate')];
    case 'prompts':
      return entries(catalog.prompts.peek(), 'name');
  }
}

function entries<K extends string>(
  all: readonly CatalogEntry<
    { readonly [key in K]: string } & { readonly name: string; readonly title?: string; readonly description?: string }
  >[],
  label: K,
): Offer[] {
  return all.map(({ key, item }) => {
    const title = item.title ?? (item.name === item[label] ? undefined : item.name);
    return offer(key, item[label], [title, item.description].filter(Boolean).join(': '));
  });
}

function offer(key: string, name: string, words: string | undefined): Offer {
  return { key, name, words: words ?? '' };
}
