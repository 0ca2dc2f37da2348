import { setTimeout as delay } from 'node:timers/promises';

const readyMilliseconds = 60_000;

/** One thing the scripted model does; see test/fixtures/extensions/scripted-model. */
export interface Turn {
  /** Tools to call: the offered tool of that name, or the first whose name ends with it. */
  readonly call?: readonly { readonly tool: string; readonly args?: Readonly<Record<string, unknown>> }[];
  /** What to say; `{{result}}` stands for the text of the last tool results. */
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
  constructor(private readonly port: number) {}

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

  /** Executes a command in the extension host; its arguments and result travel as JSON. */
  async execute(command: string, ...args: unknown[]): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${this.port}/${encodeURIComponent(command)}`, {
      method: 'POST',
      body: JSON.stringify(args),
      headers: { connection: 'close' },
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(text);
    }
    return JSON.parse(text);
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
