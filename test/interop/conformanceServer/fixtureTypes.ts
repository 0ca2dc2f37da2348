import type { CallToolResult, InputRequiredResult, Server, ServerContext, Tool } from '@modelcontextprotocol/server';
import type { ChangeNotices } from '../../../src/server/endpoint/endpointTypes';

/** What a tool of the fixture works with. */
export interface ToolCall {
  readonly server: Server;
  readonly context: ServerContext;
  readonly args: Readonly<Record<string, unknown>>;
  readonly notices: ChangeNotices;
}

export interface FixtureTool {
  readonly inputSchema?: Tool['inputSchema'];
  run(call: ToolCall): Promise<CallToolResult | InputRequiredResult> | CallToolResult | InputRequiredResult;
}

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
export const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}
