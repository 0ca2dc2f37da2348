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
  const tools = catalog.tools.peek();
  const fitting = firstUsable(tools, toolBudget + 1);
  if (fitting.length <= toolBudget) {
    return { tools: fitting, more: false };
  }
  const words = new Set(prompt.toLowerCase().split(/[^\p{L}\p{N}_.-]+/u));
  const hits = (await catalog.search(prompt, found)).map(({ tool }) => tool);
  const wanted = [
    ...tools.filter(({ exposedName }) => used.has(exposedName)),
    ...hits,
    ...tools.filter(({ key, tool }) => words.has(key.toLowerCase()) || words.has(tool.name.toLowerCase())),
  ];
  return { tools: firstUsable(new Set(wanted), toolBudget), more: true };
}

/** Whether a tool is usable is found out when it is asked; so not of thousands for the sake of a few. */
function firstUsable(tools: Iterable<CatalogTool>, most: number): readonly CatalogTool[] {
  const usable: CatalogTool[] = [];
  for (const tool of tools) {
    if (usable.length === most) {
      break;
    }
    if (tool.problem === undefined) {
      usable.push(tool);
    }
  }
  return usable;
}
