import { type CallToolResult, ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { PorticoError } from '../../base/errors';
import { isWireError } from '../wireErrors';
import type { ArgumentCheck } from './argumentCheck';
import type { ClientRequests } from './clientRequests';
import type { EditorTool } from './offerTypes';
import type { OfferCatalog } from './offerCatalog';

const maxPart = 160;

/** tools/list and tools/call for one client (spec: server/tools). */
export function addToolHandlers(
  server: Server,
  requests: ClientRequests,
  catalog: OfferCatalog,
  check: ArgumentCheck,
): void {
  const { client } = requests;

  server.setRequestHandler('tools/list', async () => ({
    tools: catalog.tools(client).map(({ definition }) => definition),
  }));

  server.setRequestHandler('tools/call', ({ params }, context) => {
    const args = params.arguments ?? {};
    const asked = { kind: 'tool', what: params.name, part: partOf(args) } as const;
    return requests.run<CallToolResult>(asked, context, async (offer) => {
      const tool = findTool(params.name);
      try {
        catalog.assertUsable(tool, client);
        check.check(tool.definition, args);
        return await tool.run(args, offer);
      } catch (error) {
        if (isWireError(error) || PorticoError.is(error, 'CANCELLED')) {
          throw error;
        }
        return failed(error);
      }
    });
  });

  function findTool(name: string): EditorTool {
    const tool = catalog.allTools.find(({ definition }) => definition.name === name);
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`);
    }
    return tool;
  }
}

/** What went wrong reaches the model, so that it can put it right. */
function failed(error: unknown): CallToolResult {
  const text = error instanceof Error ? error.message : String(error);
  return { isError: true, content: [{ type: 'text', text }] };
}

/** The arguments in short, without long texts: `file=src/a.ts line=3`. */
function partOf(args: Readonly<Record<string, unknown>>): string | undefined {
  const parts = Object.entries(args).flatMap(([name, value]) =>
    typeof value === 'object' ? (Array.isArray(value) ? [`${name}×${value.length}`] : []) : [`${name}=${short(value)}`],
  );
  return parts.length === 0 ? undefined : parts.join(' ').slice(0, maxPart);
}

function short(value: unknown): string {
  const text = String(value).replaceAll(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
