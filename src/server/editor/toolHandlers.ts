import { type CallToolResult, ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { PorticoError } from '../../base/errors';
import { quoted } from '../../base/quoted';
import { assertFirstPage } from '../firstPage';
import { isWireError } from '../wireErrors';
import type { ArgumentCheck } from './argumentCheck';
import type { ClientRequests } from './clientRequests';
import type { EditorTool } from './offerTypes';
import type { OfferCatalog } from './offerCatalog';

/** Arguments that the ledger tells of. */
const mostTold = 20;

/** tools/list and tools/call for one client (spec: server/tools). */
export function addToolHandlers(
  server: Server,
  requests: ClientRequests,
  catalog: OfferCatalog,
  check: ArgumentCheck,
): void {
  const { client } = requests;

  server.setRequestHandler('tools/list', async ({ params }) => {
    assertFirstPage(params);
    return { tools: catalog.tools(client).map(({ definition }) => definition) };
  });

  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const args = params.arguments ?? {};
    const asked = { kind: 'tool', what: params.name, ...subjectOf(args) } as const;
    try {
      return await requests.run<CallToolResult>(asked, context, async (offer) => {
        const tool = findTool(params.name);
        catalog.assertUsable(tool, client);
        check.check(tool.definition, args);
        return tool.run(args, offer);
      });
    } catch (error) {
      if (isWireError(error) || PorticoError.is(error, 'CANCELLED')) {
        throw error;
      }
      return failed(error);
    }
  });

  function findTool(name: string): EditorTool {
    const tool = catalog.allTools.find(({ definition }) => definition.name === name);
    if (tool === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${quoted(name)}. List the tools again.`,
      );
    }
    return tool;
  }
}

/** What went wrong reaches the model, so that it can put it right. */
function failed(error: unknown): CallToolResult {
  const text = error instanceof Error ? error.message : String(error);
  return { isError: true, content: [{ type: 'text', text }] };
}

/** The file that the arguments name, and the others in short, without long texts: `lines 10-20 query=ferry`. */
function subjectOf({ file, workspace, startLine, endLine, ...args }: Readonly<Record<string, unknown>>): {
  readonly file: string | undefined;
  readonly part: string | undefined;
} {
  const lines =
    startLine === undefined && endLine === undefined
      ? []
      : [`lines ${short(startLine ?? 1)}-${short(endLine ?? 'end')}`];
  const others = Object.entries(args)
    .slice(0, mostTold)
    .flatMap(([name, value]) =>
      typeof value === 'object'
        ? Array.isArray(value)
          ? [`${short(name)}×${value.length}`]
          : []
        : [`${short(name)}=${short(value)}`],
    );
  const parts = [...lines, ...(typeof workspace === 'string' ? [`in ${short(workspace)}`] : []), ...others];
  return {
    file: typeof file === 'string' ? file : undefined,
    part: parts.length === 0 ? undefined : parts.join(' '),
  };
}

/** An object or array where a word belongs may be of any size. */
function short(value: unknown): string {
  const text = (typeof value === 'object' ? '…' : String(value)).slice(0, 200).replaceAll(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
