import type { CatalogTool } from '../../core/catalog/catalogTypes';
import type { Hub } from '../../core/hubTypes';

/** More tools than this confuse models and cost every request; beyond it the model searches. */
export const toolBudget = 60;
const found = 24;

export interface ChosenTools {
  readonly tools: readonly CatalogTool[];
  /** True where there are more than were chosen. */
  readonly more: boolean;
}

/**
 * The tools for one question: all where they fit, otherwise those of servers that the question names, those that a search
 * for it finds, and those used before in the conversation.
 */
export async function chooseTools(
  { catalog }: Pick<Hub, 'catalog'>,
  prompt: string,
  used: ReadonlySet<string>,
): Promise<ChosenTools> {
  const usable = catalog.tools.peek().filter(({ problem }) => problem === undefined);
  if (usable.length <= toolBudget) {
    return { tools: usable, more: false };
  }
  const words = new Set(prompt.toLowerCase().split(/[^\p{L}\p{N}_.-]+/u));
  const hits = (await catalog.search(prompt, found)).map(({ tool }) => tool);
  const wanted = [
    ...usable.filter(({ exposedName }) => used.has(exposedName)),
    ...hits.filter(({ problem }) => problem === undefined),
    ...usable.filter(({ key, tool }) => words.has(key.toLowerCase()) || words.has(tool.name.toLowerCase())),
  ];
  return { tools: [...new Set(wanted)].slice(0, toolBudget), more: true };
}
