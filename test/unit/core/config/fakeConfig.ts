import { signal } from '@preact/signals-core';
import type { Clock } from '../../../../src/base/clock';
import { toDisposable } from '../../../../src/base/disposable';
import { PorticoError } from '../../../../src/base/errors';
import { createConfigService, type ConfigServiceOptions } from '../../../../src/core/config/configService';
import type {
  ConfigFiles,
  InputDefinition,
  ServerDefinition,
  SettingsLayer,
  SourceKind,
  VariableSource,
  WorkspaceFolder,
} from '../../../../src/core/config/configTypes';

export class FakeFiles implements ConfigFiles {
  readonly texts = new Map<string, string | Error>();
  readonly watchers = new Map<string, Set<() => void>>();
  reads = 0;

  async read(path: string): Promise<string | undefined> {
    this.reads += 1;
    const text = this.texts.get(path);
    if (text instanceof Error) {
      throw text;
    }
    return text;
  }

  watch(path: string, changed: () => void) {
    const watchers = this.watchers.get(path) ?? new Set();
    this.watchers.set(path, watchers.add(changed));
    return toDisposable(() => {
      watchers.delete(changed);
    });
  }

  write(path: string, text: string | undefined): void {
    if (text === undefined) {
      this.texts.delete(path);
    } else {
      this.texts.set(path, text);
    }
    this.watchers.get(path)?.forEach((changed) => changed());
  }
}

export class FakeClock implements Clock {
  private readonly due = new Set<() => void>();

  now(): number {
    return 0;
  }

  after(_ms: number, run: () => void) {
    this.due.add(run);
    return toDisposable(() => this.due.delete(run));
  }

  /** Runs what is due and lets the reads that it starts come to their end. */
  async tick(): Promise<void> {
    const due = [...this.due];
    this.due.clear();
    due.forEach((run) => run());
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export class FakeVariables implements VariableSource {
  readonly variables = new Map<string, string>();
  readonly settings = new Map<string, unknown>();
  readonly answers = new Map<string, string>();
  readonly asked: string[] = [];

  env(name: string): string | undefined {
    return this.variables.get(name);
  }

  config(name: string): unknown {
    return this.settings.get(name);
  }

  async input(definition: InputDefinition, forServer: string): Promise<string> {
    this.asked.push(`${forServer}:${definition.id}`);
    const answer = this.answers.get(definition.id);
    if (answer === undefined) {
      throw new PorticoError('INPUT_MISSING', `Server "${forServer}" needs ${definition.id}.`, { server: forServer });
    }
    return answer;
  }
}

export const folder: WorkspaceFolder = { name: 'ws', uri: 'file:///ws', path: '/ws' };
export const otherFolder: WorkspaceFolder = { name: 'api', uri: 'file:///api', path: '/api' };

/** A config service over fakes, with one folder `/ws` and the user's file `/user/mcp.json`. */
export function fakeConfig(options: ConfigServiceOptions & { readonly files?: readonly string[] } = {}) {
  const files = new FakeFiles();
  const clock = new FakeClock();
  const variables = new FakeVariables();
  const inputs = {
    folders: signal<readonly WorkspaceFolder[]>([folder]),
    settings: signal<readonly SettingsLayer[]>([]),
    sources: signal<readonly SourceKind[]>(['settings', 'mcpJson', 'vscodeMcpJson', 'userMcpJson']),
    userMcpJson: '/user/mcp.json',
    ...(options.files === undefined ? {} : { files: options.files }),
  };
  const start = async () => {
    const service = createConfigService(inputs, files, variables, {
      clock,
      home: '/home/me',
      platform: 'linux',
      environment: () => ({ PATH: '/usr/bin:/bin', OLD: 'old', GONE: undefined }),
      ...options,
    });
    await service.ready;
    const definition = (id: string): ServerDefinition => {
      const found = service.snapshot.value.definitions.find((candidate) => candidate.id === id);
      if (found === undefined) {
        throw new Error(`no ${id} in ${service.snapshot.value.definitions.map((one) => one.id).join()}`);
      }
      return found;
    };
    const ids = (): string[] => service.snapshot.value.definitions.map(({ id }) => id);
    const messages = (): string[] => service.snapshot.value.problems.map(({ message }) => message);
    return { service, definition, ids, messages };
  };
  return { files, clock, variables, inputs, start };
}

export const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
