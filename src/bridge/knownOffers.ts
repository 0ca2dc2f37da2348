import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject } from '../base/jsonObject';
import { readPrivately } from '../server/discovery/recordFiles';

/** What is kept of an endpoint: answers that are the same for every window. Files and their names are not among them. */
const keptMethods = ['initialize', 'server/discover', 'tools/list', 'prompts/list', 'resources/templates/list'];

/**
 * The last known answers of an endpoint, in a file that only the person can read. Before there were any, those that are
 * `builtIn`, by their methods.
 */
export class KnownOffers {
  private results: Record<string, unknown> = {};

  constructor(
    private readonly path: string,
    private readonly say: (text: string) => void,
    private readonly builtIn: Readonly<Record<string, unknown>> = {},
  ) {}

  async load(): Promise<void> {
    const text = await readPrivately(this.path, process.getuid?.());
    try {
      const value: unknown = JSON.parse(text ?? '{}');
      this.results = isObject(value) ? value : {};
    } catch {
      // A broken file is written anew with the next answer.
      this.results = {};
    }
  }

  get(method: string): Record<string, unknown> | undefined {
    const result = this.results[method] ?? this.builtIn[method];
    return isObject(result) ? result : undefined;
  }

  /** Keeps the result of a whole list or an opening, where it is another than the one known. */
  keep(method: string, params: Readonly<Record<string, unknown>>, result: unknown): void {
    const isWhole = params['cursor'] === undefined && isObject(result) && result['nextCursor'] === undefined;
    if (!keptMethods.includes(method) || !isWhole || JSON.stringify(result) === JSON.stringify(this.results[method])) {
      return;
    }
    this.results[method] = result;
    try {
      this.write();
    } catch (error) {
      this.say(`What was listed cannot be kept: ${String(error)}`);
    }
  }

  /** At once, before the answer goes on: some agents start a bridge for a single question and kill it. */
  private write(): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const fresh = `${this.path}.${randomBytes(6).toString('hex')}.new`;
    writeFileSync(fresh, JSON.stringify(this.results), { flag: 'wx', mode: 0o600 });
    renameSync(fresh, this.path);
  }
}
