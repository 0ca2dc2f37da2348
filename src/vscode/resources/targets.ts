import { toResourceAddress } from '../interop/resourceAddress';

/** What a command of this view is about. */
export type Target =
  | { readonly kind: 'resource'; readonly server: string; readonly uri: string; readonly part?: number }
  | { readonly kind: 'template'; readonly template: string };

/** Reads what menus and keys give: rows of the view or addresses of open documents; what is neither is left out. */
export function toTargets(items: readonly unknown[]): readonly Target[] {
  return items.flatMap((item) => toTarget(item) ?? []);
}

function toTarget(item: unknown): Target | undefined {
  if (typeof item !== 'object' || item === null) {
    return undefined;
  }
  const { server, uri, part, template, scheme, path, query } = item as Readonly<Record<string, unknown>>;
  if (typeof server === 'string' && typeof uri === 'string') {
    return { kind: 'resource', server, uri, ...(typeof part === 'number' ? { part } : {}) };
  }
  if (typeof template === 'string') {
    return { kind: 'template', template };
  }
  if (typeof scheme === 'string' && typeof path === 'string' && typeof query === 'string') {
    const address = toResourceAddress({ scheme, path, query });
    return address && { kind: 'resource', ...address };
  }
  return undefined;
}
