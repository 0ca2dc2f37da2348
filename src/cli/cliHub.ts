import { signal } from '@preact/signals-core';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { version } from '../../package.json';
import { systemClock } from '../base/clock';
import { toDisposable } from '../base/disposable';
import { PorticoError } from '../base/errors';
import { NullLogFactory } from '../base/log';
import { MemorySecrets, MemoryStore } from '../base/storage';
import type { ConfigFiles, VariableSource, WorkspaceFolder } from '../core/config/configTypes';
import { createHub } from '../core/hub';
import type { Hub } from '../core/hubTypes';
import { listedAnswers, readAnswers } from './answers';
import type { CommandLine } from './commandLine';
import type { Output } from './output';

const MESSAGE_BYTES = 100_000_000;
const CONCURRENT_STARTS = 8;

/** The host as the CLI runs it: the named files, nobody to ask, nothing kept. */
export function createCliHub({ configs, roots, answers, requestMs, startMs }: CommandLine, output: Output): Hub {
  // Relative paths and variables mean the current folder where none is named; servers are told of named ones alone.
  const folders = (roots.length > 0 ? roots : [process.cwd()]).map(toFolder);
  const uris = signal(roots.map(toFolder).map(({ name, uri }) => ({ name, uri })));
  return createHub({
    inputs: { folders: signal(folders), settings: signal([]), sources: signal(['file']), files: configs },
    files,
    variables,
    roots: { rootsFor: async () => uris },
    consentUi: { ask: async () => new Map() },
    approvalUi: { ask: async () => ({ kind: 'deny' }) },
    elicitationUi: listedAnswers(answers === undefined ? [] : readAnswers(answers), (server, problem, detail) =>
      output.problem(server, problem, detail),
    ),
    // Entries with credentials of their own are signed in to; nobody is there to sign in in person.
    auth: {
      secrets: Object.assign(new MemorySecrets(), { onDidChange: () => toDisposable(() => undefined) }),
      clientMetadataUrl: signal(undefined),
    },
    workspaceState: new MemoryStore(),
    globalState: new MemoryStore(),
    cache: { read: async () => undefined, write: async () => undefined },
    logs: new NullLogFactory(),
    clock: systemClock,
    limits: { startMs, requestMs, messageBytes: MESSAGE_BYTES, concurrentStarts: CONCURRENT_STARTS },
    clientInfo: { name: 'portico', version },
    trusted: signal(true),
    implicitConsent: true,
  });
}

function toFolder(path: string): WorkspaceFolder {
  return { name: basename(path), uri: pathToFileURL(path).href, path };
}

/** Read once: a command is over before its files change. */
const files: ConfigFiles = {
  read: async (path) => {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
        return undefined;
      }
      throw error;
    }
  },
  watch: () => toDisposable(() => undefined),
};

const variables: VariableSource = {
  env: (name) => process.env[name],
  config: () => undefined,
  input: async (definition, forServer) => {
    if (definition.default !== undefined) {
      return definition.default;
    }
    throw new PorticoError(
      'INPUT_MISSING',
      `"${forServer}" needs a value for the input "${definition.id}", and the CLI asks nobody. Give the input a default, or use \${env:NAME} instead.`,
      { server: forServer },
    );
  },
};
