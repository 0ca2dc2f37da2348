import {
  type CallToolResult,
  ProtocolErrorCode,
  ProtocolError,
  type Server,
  type Tool,
} from '@modelcontextprotocol/server';
import { PorticoError } from '../../base/errors';
import { TimeSlices } from '../../base/timeSlices';
import type { Catalog, CatalogTool, ToolRef } from '../../core/catalog/catalogTypes';
import type { Caller } from '../../core/policy/policyTypes';
import { assertFirstPage } from '../firstPage';
import { isWireError } from '../wireErrors';
import type { EndpointContext } from './gatewayTypes';
import { presentableResult } from './presentableResult';

const caller: Caller = { kind: 'chat', label: 'chat' };

/** tools/list and tools/call of one endpoint (spec: server/tools). */
export function addToolHandlers(server: Server, endpoint: EndpointContext): void {
  const { view, ports } = endpoint;
  const { hub } = ports;

  server.setRequestHandler('tools/list', async ({ params }) => {
    assertFirstPage(params);
    await endpoint.lists();
    const trusted = ports.isTrusted(view);
    // Schemas for models are made here, maybe thousands.
    const slices = new TimeSlices();
    const tools: Tool[] = [];
    for (const entry of hub.catalog.toolsOf(view.id)) {
      tools.push(...(await offeredTool(entry, entry.chatName, hub.catalog, trusted)));
      if (slices.over) {
        await slices.next();
      }
    }
    return { tools };
  });

  server.setRequestHandler('tools/call', async ({ params }, context) => {
    try {
      const result = await endpoint.relay(server, context, (options) =>
        hub.callTool(refOf(params.name), params.arguments ?? {}, { caller, ...options }),
      );
      return presentableResult(result, view.definition.key);
    } catch (error) {
      if (isWireError(error)) {
        throw error;
      }
      return failedCall(error, view.definition.key);
    }
  });

  /** A name that is in no list goes on as it is: the list may be older than the server, and the hub knows better. */
  function refOf(name: string): ToolRef {
    const tools = hub.catalog.toolsOf(view.id);
    const found = tools.find((entry) => entry.chatName === name) ?? tools.find((entry) => entry.ref.name === name);
    return found?.ref ?? { server: view.id, name };
  }
}

/**
 * The tool as a model sees it under a name, or nothing where it cannot be called (the servers view says why). Its output schema
 * stays away: a server that declares one must always fit it, and what the upstream server will send is not ours to
 * promise; `execution` too, as tasks are not offered here.
 */
export async function offeredTool(
  entry: CatalogTool,
  name: string,
  catalog: Catalog,
  trusted: boolean,
): Promise<Tool[]> {
  if (entry.problem !== undefined) {
    return [];
  }
  const model = await catalog.modelSchemaOf(entry);
  if (model.problem !== undefined) {
    return [];
  }
  const { outputSchema: _outputSchema, execution: _execution, annotations, ...tool } = entry.tool;
  const believed = trusted ? annotations : careful(annotations);
  const description = [tool.description, model.notes].filter((text) => text !== undefined && text !== '').join('\n\n');
  return [
    {
      ...tool,
      name,
      ...(description === '' ? {} : { description }),
      inputSchema: { ...model.schema, type: 'object' },
      ...(believed === undefined ? {} : { annotations: believed }),
    },
  ];
}

/** What a server that is not trusted says of its tools may make the editor more careful, never less (it skips its question for `readOnlyHint`). */
function careful(annotations: Tool['annotations']): Tool['annotations'] {
  if (annotations === undefined) {
    return undefined;
  }
  const { title, destructiveHint, openWorldHint } = annotations;
  return {
    ...(title === undefined ? {} : { title }),
    ...(destructiveHint === true ? { destructiveHint } : {}),
    ...(openWorldHint === true ? { openWorldHint } : {}),
  };
}

/** What went wrong on the way reaches the model as a failed result: it names the server and the next step. */
export function failedCall(error: unknown, key: string): CallToolResult {
  if (PorticoError.is(error, 'TOOL_UNKNOWN')) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, { code: error.code });
  }
  const message = error instanceof Error ? error.message : String(error);
  return { isError: true, content: [{ type: 'text', text: PorticoError.is(error) ? message : `${key}: ${message}` }] };
}
