/** How an agent reaches Portico, as its configuration says it. */
export type AgentEntry =
  | {
      readonly kind: 'bridge';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'url'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** What decides where an agent keeps its configuration. */
export interface AgentSurroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How entries are written for an agent. */
export interface EntryForm {
  readonly format: 'json' | 'toml';
  /** Under which key its servers stand. */
  readonly section: string;
  readonly entry: (entry: AgentEntry) => Readonly<Record<string, unknown>>;
}

/** An agent whose configuration Portico can write. */
export interface AgentProgram extends EntryForm {
  /** As the client's id in tokens and in the ledger. */
  readonly id: string;
  readonly label: string;
  /** The configuration of the person, for all projects. */
  readonly file: (surroundings: AgentSurroundings) => string;
  /** Whether it also connects to URLs. */
  readonly takesUrls: boolean;
  /** What the person does after the change, as a sentence. */
  readonly afterwards: string;
}
