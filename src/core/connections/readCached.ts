import { isObject } from '../../base/jsonObject';
import type { CachedServer, ReadyInfo, ServerList, SetAside } from './connectionTypes';
import type { Problem } from '../../base/errors';
import { type Fields, type ReadEntry, readEntries } from './readEntries';
import { readInitialize } from './readInitialize';
import { readPrompt } from './readPrompts';
import { readResource, readTemplate } from './readResources';
import { readTool } from './readTools';
import { withinDepth } from './withinDepth';

const SOURCES = ['none', 'cache', 'server'] as const;

/**
 * What a file of the cache in this format holds; nothing where that is no cached server. Files may be torn or somebody else's, so they are
 * read like what comes from a server.
 */
export async function readCached(value: unknown, format: number): Promise<CachedServer | undefined> {
  const { format: written, info: said, lists } = fieldsOf(withinDepth(value));
  const info = readInfo(fieldsOf(said));
  if (written !== format || !info || !isObject(lists)) {
    return undefined;
  }
  const [tools, resources, templates, prompts] = await Promise.all([
    readList(lists['tools'], readTool),
    readList(lists['resources'], readResource),
    readList(lists['templates'], readTemplate),
    readList(lists['prompts'], readPrompt),
  ]);
  return tools && resources && templates && prompts
    ? { info, lists: { tools, resources, templates, prompts } }
    : undefined;
}

function readInfo(said: Fields): ReadyInfo | undefined {
  const { era, protocolVersion } = said;
  return (era === 'session' || era === 'stateless') && typeof protocolVersion === 'string'
    ? ({ ...readInitialize(said, ''), era, protocolVersion } as unknown as ReadyInfo)
    : undefined;
}

async function readList<T>(list: unknown, read: (entry: Fields) => ReadEntry<T>): Promise<ServerList<T> | undefined> {
  const { from, items, setAside, problem } = fieldsOf(list);
  const source = SOURCES.find((one) => one === from);
  if (!source || !Array.isArray(items) || !Array.isArray(setAside)) {
    return undefined;
  }
  const found = await readEntries(items, read);
  return {
    from: source,
    items: found.items,
    setAside: [...setAside.filter(isSetAside), ...found.setAside],
    ...(isProblem(problem) ? { problem } : {}),
  };
}

function isSetAside(entry: unknown): entry is SetAside {
  return isObject(entry) && typeof entry['name'] === 'string' && isProblem(entry['problem']);
}

function isProblem(value: unknown): value is Problem {
  return isObject(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}
