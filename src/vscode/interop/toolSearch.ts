import type { CatalogTool } from '../../core/catalog/catalogTypes';
import type { Hub } from '../../core/hubTypes';
import { PorticoError } from '../../base/errors';

const descriptionLength = 300;

/** What a model gets of a search: names to call by, with the server and the beginning of the description. */
export async function searchTools(hub: Hub, query: string, limit = 10): Promise<string> {
  const hits = await hub.catalog.search(query, Math.min(Math.max(1, Math.trunc(limit)), 50));
  if (hits.length === 0) {
    const count = hub.catalog.tools.peek().length;
    return `None of ${count} tools matches. Try other or fewer words.`;
  }
  return JSON.stringify(
    hits.map(({ tool }) => ({
      name: tool.exposedName,
      server: tool.key,
      description: (tool.tool.description ?? tool.tool.title ?? tool.tool.name).slice(0, descriptionLength),
      ...(tool.problem ? { problem: tool.problem.message } : {}),
    })),
  );
}

/** All that a model needs to call one tool. */
export function describeTool(hub: Hub, name: string): string {
  const tool = needTool(hub, name);
  return JSON.stringify({
    name: tool.exposedName,
    server: tool.key,
    description: tool.tool.description,
    inputSchema: tool.tool.inputSchema,
    ...(tool.tool.outputSchema ? { outputSchema: tool.tool.outputSchema } : {}),
    ...(tool.problem ? { problem: tool.problem.message } : {}),
  });
}

export function needTool(hub: Hub, name: string): CatalogTool {
  const tool = hub.catalog.toolByExposedName(name);
  if (!tool) {
    throw new PorticoError('TOOL_UNKNOWN', `There is no tool "${name}". Search for it first.`);
  }
  return tool;
}

/** A server by its name in the config, or its id. */
export function needServer(hub: Hub, name: string): string {
  const view = hub.server(name) ?? hub.servers.peek().find(({ definition }) => definition.key === name);
  if (!view) {
    const names = hub.servers.peek().map(({ definition }) => definition.key);
    throw new PorticoError('SERVER_UNKNOWN', `There is no server "${name}". There are: ${names.join(', ') || 'none'}.`);
  }
  return view.id;
}
