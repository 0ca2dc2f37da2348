import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { resolve } from 'node:path';
import { until } from './until';

export interface AgentOptions {
  /** Portico's home, where the windows tell of themselves. */
  readonly home: string;
  /** Where the agent works. */
  readonly cwd: string;
  /** As Portico knows it, such as `codex`. */
  readonly client?: string;
  readonly gateway?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** An agent on the machine: an MCP client that starts the bridge as its configuration says. */
export class Agent {
  static async connect({ home, cwd, client: id, gateway, env }: AgentOptions): Promise<Agent> {
    const client = new Client({ name: 'test-agent', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        resolve('dist/bridge.js'),
        gateway ? '--gateway' : '--editor',
        ...(id === undefined ? [] : ['--client', id]),
      ],
      cwd,
      env: { PATH: process.env['PATH'] ?? '', ...env, PORTICO_HOME: home },
      stderr: 'pipe',
    });
    const agent = new Agent(client);
    transport.stderr?.on('data', (chunk: Buffer) => (agent.said += chunk.toString()));
    await client.connect(transport);
    return agent;
  }

  /** What the bridge has said for people. */
  said = '';

  private constructor(readonly client: Client) {}

  /** The text of a tool's result, with its structured content. */
  async call(
    name: string,
    args: Record<string, unknown> = {},
  ): Promise<{ readonly text: string; readonly isError: boolean; readonly data: Record<string, unknown> }> {
    const result = await this.client.callTool({ name, arguments: args });
    const text = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    return {
      text,
      isError: result.isError ?? false,
      data: (result.structuredContent ?? {}) as Record<string, unknown>,
    };
  }

  async tools(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  /** Waits until the list of tools has a tool, or has it no more. */
  async untilTool(name: string, isThere = true): Promise<void> {
    await until(`${isThere ? 'a' : 'no'} tool ${name}`, async () => (await this.tools()).includes(name) === isThere);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
