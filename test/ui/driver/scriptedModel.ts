import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from './until';

/** A start takes seconds; minutes where one core does the work of many. */
const readyMilliseconds = 180_000;

/** One thing the scripted model does; see test/fixtures/extensions/scripted-model. */
export interface Turn {
  /** Tools to call: the offered tool of that name, or the first whose name ends with it. */
  readonly call?: readonly { readonly tool: string; readonly args?: Readonly<Record<string, unknown>> }[];
  /** What to say; `{{result}}` stands for the text of the last tool results, `{{results}}` for that of all. */
  readonly say?: string;
  readonly delay?: number;
}

export interface ModelPart {
  readonly text?: string;
  readonly call?: string;
  readonly tool?: string;
  readonly args?: unknown;
  /** The call's id, where the part is a tool result. */
  readonly result?: string;
  readonly parts?: readonly ModelPart[];
  readonly mimeType?: string;
  readonly bytes?: number;
  readonly other?: string;
}

/** A request as it reached the model. */
export interface ModelRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema?: unknown }[];
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly parts: readonly ModelPart[] }[];
}

/** The test-only model, and through it any command of the editor. */
export class ScriptedModel {
  /** @param socket where the test-only extension listens */
  constructor(private readonly socket: string) {}

  /** Waits until the extension host runs it. */
  async ready(): Promise<void> {
    const deadline = Date.now() + readyMilliseconds;
    for (;;) {
      try {
        await this.execute('scriptedModel.requests');
        return;
      } catch (error) {
        if (Date.now() > deadline) {
          throw new Error('The extension host did not start the scripted model.', { cause: error });
        }
        await delay(100);
      }
    }
  }

  /** What the model will do from now on; forgets the requests so far. */
  async script(...turns: Turn[]): Promise<void> {
    await this.execute('scriptedModel.setScript', turns);
  }

  async requests(): Promise<ModelRequest[]> {
    return (await this.execute('scriptedModel.requests')) as ModelRequest[];
  }

  /** Waits until the editor has tools for models whose names end so: some time after a server listed them. */
  async waitForTools(...ends: string[]): Promise<void> {
    await until(`the tools ${ends.join()}`, async () => {
      const known = (await this.execute('scriptedModel.tools')) as string[];
      return ends.every((end) => known.some((name) => name.endsWith(end)));
    });
  }

  /** Executes a command in the extension host; its arguments and result travel as JSON. */
  async execute(command: string, ...args: unknown[]): Promise<unknown> {
    const path = `/${encodeURIComponent(command)}`;
    const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      request({ socketPath: this.socket, path, method: 'POST', agent: false }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      })
        .on('error', reject)
        .end(JSON.stringify(args));
    });
    if (status !== 200) {
      throw new Error(body);
    }
    return JSON.parse(body);
  }

  /** Runs what restarts the extension host, and waits for the new one. */
  async whileRestarting(run: () => Promise<void>): Promise<void> {
    const before = await this.execute('scriptedModel.process');
    await run();
    const deadline = Date.now() + readyMilliseconds;
    for (;;) {
      const now = await this.execute('scriptedModel.process').catch(() => undefined);
      if (now !== undefined && now !== before) {
        return;
      }
      if (Date.now() > deadline) {
        throw new Error('The extension host did not restart.');
      }
      await delay(100);
    }
  }
}
