import type { ReadonlySignal } from '@preact/signals-core';
import type { Disposable } from '../../base/disposable';

/** Where an entry was read from. `file` is a file named on the command line of the CLI. */
export type SourceKind = 'settings' | 'mcpJson' | 'vscodeMcpJson' | 'userMcpJson' | 'file';

export type SourceScope = 'folder' | 'workspace' | 'user';

/** An open workspace folder. `path` is absent where the folder is not on this machine's file system. */
export interface WorkspaceFolder {
  readonly name: string;
  readonly uri: string;
  readonly path?: string;
}

/** One place that holds entries. `id` is stable over reloads; `label` is what people read (".mcp.json", "user settings"). */
export interface ConfigSource {
  readonly id: string;
  readonly kind: SourceKind;
  readonly scope: SourceScope;
  readonly label: string;
  /** Absolute path, where the source is a file that this process can read. */
  readonly file?: string;
  readonly folder?: WorkspaceFolder;
}

/** Where an entry or a fault stands in its source: zero-based line, and offset and length in UTF-16 units. */
export interface ConfigPlace {
  readonly file: string;
  readonly line: number;
  readonly offset: number;
  readonly length: number;
}

export interface StdioLaunch {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the inherited environment; `null` takes a variable out of it. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly envFile?: string;
  readonly cwd?: string;
}

/** `http` is Streamable HTTP with the fallback that the spec describes; `sse` is the legacy transport alone. */
export interface RemoteLaunch {
  readonly type: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly auth?: AuthSettings;
}

/** How a server is reached: as written, variables unexpanded. */
export type Launch = StdioLaunch | RemoteLaunch;

/** A launch with every variable expanded; holds secrets, so it is never logged, cached or shown. */
export type ResolvedLaunch =
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | undefined;
    }
  | RemoteLaunch;

/**
 * The client that a person registered by hand at the authorization server, and what it asks for. The values are written with
 * variables, and those that are secret (the secret, the key, the token) are never logged, cached or shown.
 */
export interface AuthSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Wanted beside what the server asks for. */
  readonly scopes?: readonly string[];
  /** The authorization server that the client is registered at; the one of the first sign-in where absent. */
  readonly issuer?: string;
  /** `clientCredentials`: the client signs in for itself, and no person does. */
  readonly grant?: 'authorizationCode' | 'clientCredentials';
  /** With `clientCredentials`, instead of a secret: the key as PEM (PKCS #8), and its algorithm; RS256 where absent. */
  readonly privateKey?: string;
  readonly algorithm?: string;
  /** An identity provider that vouches for the person at the authorization server (enterprise-managed authorization). */
  readonly identityProvider?: {
    readonly issuer: string;
    /** Where its metadata is not to be had. */
    readonly tokenEndpoint?: string;
    readonly clientId: string;
    readonly clientSecret?: string;
    readonly idToken: string;
  };
}

export interface InputDefinition {
  readonly id: string;
  readonly type: 'promptString' | 'pickString' | 'command';
  readonly description?: string;
  readonly default?: string;
  readonly password?: boolean;
  readonly options?: readonly string[];
  readonly command?: string;
}

/** When a server starts: at its first use, with the window, or by hand alone. */
export type StartMode = 'onDemand' | 'onOpen' | 'manual';

/** One configured server. Its identity is `id`: the key, or `key@source` where two sources have the key. */
export interface ServerDefinition {
  readonly id: string;
  readonly key: string;
  readonly source: ConfigSource;
  /** Who runs it for the editor's chat: entries of files that the editor's own client reads too are the editor's. */
  readonly owner: 'portico' | 'editor';
  readonly launch: Launch;
  readonly disabled: boolean;
  /** True where the entry leads back to Portico itself: shown, never started. */
  readonly self: boolean;
  readonly inputs: readonly InputDefinition[];
  readonly place?: ConfigPlace;
  /** What consent is bound to: command, arguments, cwd, env keys, envFile, URL and header names. */
  readonly consentDigest: string;
  /** Changes with anything that changes the running server, values included; comments and formatting do not. Also the cache's key. */
  readonly launchDigest: string;
  /** Bounds of this server in milliseconds, where the entry gives its own: `timeout` (requests) and `startTimeout`, in seconds there. */
  readonly requestMs?: number;
  readonly startMs?: number;
  /** When it starts, where the entry says otherwise than the setting `portico.start`. */
  readonly start?: StartMode;
  /** Another entry with the same command, for the tooltip: "Same command as `fs` in .mcp.json (line 4)." */
  readonly twin?: string;
}

/** A broken file or entry; every other entry goes on. `key` is absent where the whole file is meant. */
export interface ConfigProblem {
  readonly code: string;
  readonly message: string;
  readonly source: ConfigSource;
  readonly key?: string;
  readonly place?: ConfigPlace;
}

export interface ConfigSnapshot {
  readonly definitions: readonly ServerDefinition[];
  readonly problems: readonly ConfigProblem[];
}

/** The value of a setting at one scope, as the editor gives it. */
export interface SettingsLayer {
  readonly scope: SourceScope;
  readonly folder?: WorkspaceFolder;
  readonly value: unknown;
  /** Absolute path of the settings file, where it is known. */
  readonly file?: string;
}

/** What the editor (or the CLI) tells the config reader. */
export interface ConfigInputs {
  readonly folders: ReadonlySignal<readonly WorkspaceFolder[]>;
  readonly settings: ReadonlySignal<readonly SettingsLayer[]>;
  /** Which kinds are read: the setting `portico.config.sources`. */
  readonly sources: ReadonlySignal<readonly SourceKind[]>;
  /** The user's VS Code `mcp.json`, where its place is known. */
  readonly userMcpJson?: string;
  /** Files named on the CLI's command line. */
  readonly files?: readonly string[];
}

/** Files as the config reader sees them: text with unsaved changes left out, and news of changes. */
export interface ConfigFiles {
  /**
   * The file's text, or nothing where there is none. Other failures reject, a pipe too, unless it may be one: programs that
   * keep secrets offer env files so.
   */
  read(path: string, mayBePipe?: boolean): Promise<string | undefined>;
  watch(path: string, changed: () => void): Disposable;
}

/** Answers for variables that only the surroundings know. */
export interface VariableSource {
  env(name: string): string | undefined;
  config(name: string): unknown;
  /** Asks for, or recalls, an input. Rejects with INPUT_MISSING where there is no value and asking is not allowed. */
  input(definition: InputDefinition, forServer: string, interactive: boolean, source: ConfigSource): Promise<string>;
}

/** Reads config live. */
export interface ConfigService extends Disposable {
  readonly snapshot: ReadonlySignal<ConfigSnapshot>;
  /** Settles once every source has been read the first time. */
  readonly ready: Promise<void>;
  resolve(definition: ServerDefinition, interactive: boolean): Promise<ResolvedLaunch>;
}

/** What Add Server made of a pasted text. */
export interface RecognizedServer {
  readonly key: string;
  /** The entry as it will be written. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly launch: Launch;
  readonly inputs: readonly InputDefinition[];
  /** Secrets that the text held, by input id: kept in the secret store, never written to a file, logged or shown. */
  readonly secrets: Readonly<Record<string, string>>;
  /** `stdio · npx -y @modelcontextprotocol/server-memory · name memory` */
  readonly summary: string;
}

export type Recognition =
  | { readonly kind: 'servers'; readonly servers: readonly RecognizedServer[] }
  | { readonly kind: 'nothing'; readonly reason: string };

/** One change to a text: offset and length in UTF-16 units of the text before it. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** Where an entry stands in its file: `['mcpServers', 'fs']`, `['portico.servers', 'fs']`. */
export type EntryPath = readonly [string, ...string[]];

/** What moving or copying an entry into `portico.servers` takes: `from` is empty where the old file keeps its entry. */
export interface TakeOver {
  readonly from: readonly TextEdit[];
  /** The entry's text, comments included, for `setEntryText`. */
  readonly entryText: string;
}

/**
 * Edits of config files as text. Comments, indentation and line ends stay as they are; a missing or empty text is begun
 * anew. All throw CONFIG_WRITE_FAILED, with a sentence, where the text cannot be parsed or already says otherwise.
 */
export interface ConfigEdits {
  /** Adds an entry behind the others, or changes the fields of the one that is there. */
  setEntry(text: string, path: EntryPath, value: unknown): readonly TextEdit[];
  /** The same with the value as text, whose comments are kept. */
  setEntryText(text: string, path: EntryPath, valueText: string): readonly TextEdit[];
  /** Takes an entry away with the comments that are its own; nothing where there is none. */
  removeEntry(text: string, path: EntryPath): readonly TextEdit[];
  renameEntry(text: string, path: EntryPath, key: string): readonly TextEdit[];
  setDisabled(text: string, path: EntryPath, disabled: boolean): readonly TextEdit[];
  takeOver(definition: ServerDefinition, fromText: string): TakeOver;
  /** Where entries of a kind of source stand in its file; a workspace file holds its settings one level down. */
  entryPath(source: ConfigSource, key: string): EntryPath;
  /** The entry of a recognised server as a kind of file wants it: settings hold the inputs in the entry, `.mcp.json` knows none. */
  entryFor(server: RecognizedServer, kind: SourceKind): Readonly<Record<string, unknown>>;
  applyEdits(text: string, edits: readonly TextEdit[]): string;
}
