import { computed, type ReadonlySignal, signal } from '@preact/signals-core';
import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/emitter';
import { assertNever, PorticoError } from '../base/errors';
import type { ServerDefinition } from './config/configTypes';
import { WantedResources } from './connections/wantedResources';
import type { Connection, ReadyInfo, ServerLists, StartOptions } from './connections/connectionTypes';
import type { Session, SessionHolder } from './connections/sessionTypes';
import type { ServerStatus, ServerView } from './hubTypes';
import type { Consent } from './policy/policyTypes';

type ServerLink = Connection & SessionHolder;

export interface ManagedServerDependencies {
  /** `latest`: the entry as it is now, where an edit changed nothing that runs. */
  readonly connect: (
    definition: ServerDefinition,
    wanted: WantedResources,
    latest: () => ServerDefinition,
  ) => ServerLink;
  readonly consent: Consent;
  readonly trusted: ReadonlySignal<boolean>;
}

/** An entry's life over edits: the view stays, the connection is replaced when what it runs has changed. */
export class ManagedServer implements ServerView, Disposable {
  readonly id: string;
  readonly status: ReadonlySignal<ServerStatus>;
  readonly lists: ReadonlySignal<ServerLists>;
  readonly lastInfo: ReadonlySignal<ReadyInfo | undefined>;
  private readonly updated = new Emitter<string>();
  readonly onDidUpdateResource = this.updated.event;
  private readonly current;
  private readonly wanted = new WantedResources();
  private readonly connectionSignal;
  /** Settles when the process of before is gone: while an edit is under way, or the entry is back after it was removed. */
  private replacing: Promise<void> | undefined;
  /** Whether the server ran before the edit, and so runs again after it. */
  private resumes = false;
  private updates: Disposable;

  constructor(
    definition: ServerDefinition,
    private readonly dependencies: ManagedServerDependencies,
    /** What has to be gone before this may start. */
    before?: Promise<unknown>,
  ) {
    this.id = definition.id;
    this.current = signal(definition);
    const connection = dependencies.connect(definition, this.wanted, () => this.current.peek());
    this.connectionSignal = signal(connection);
    this.updates = connection.onDidUpdateResource((uri) => this.updated.fire(uri));
    this.status = computed(() => this.deriveStatus());
    this.lists = computed(() => this.connectionSignal.value.lists.value);
    this.lastInfo = computed(() => this.connectionSignal.value.lastInfo.value);
    const free = before?.then(() => {
      if (this.replacing === free) {
        this.replacing = undefined;
      }
    });
    this.replacing = free;
  }

  get definition(): ServerDefinition {
    return this.current.value;
  }

  /** The session in use; followed where it is read in an effect. */
  get session(): Session | undefined {
    const connection = this.connectionSignal.value;
    void connection.state.value;
    return connection.session;
  }

  lost(session: Session, error: unknown): void {
    this.connectionSignal.peek().lost(session, error);
  }

  hold(): Disposable {
    return this.connectionSignal.peek().hold();
  }

  subscribe(uri: string): Disposable {
    return this.wanted.want(uri);
  }

  freshen(): void {
    this.connectionSignal.peek().freshen();
  }

  /** The connection to use, once an edit under way has replaced the one before it. */
  connection(): ServerLink | Promise<ServerLink> {
    return this.replacing === undefined
      ? this.connectionSignal.peek()
      : this.replacing.then(() => this.connectionSignal.peek());
  }

  /**
   * Takes an edited entry. What changes nothing that runs (a comment, its place) restarts nothing; otherwise the old
   * process is gone before the new one starts, and a new one starts only where one was running.
   */
  update(next: ServerDefinition): Promise<void> {
    const previous = this.current.peek();
    this.current.value = next;
    if (next.launchDigest === previous.launchDigest && next.disabled === previous.disabled) {
      return Promise.resolve();
    }
    const old = this.connectionSignal.peek();
    this.resumes ||= isRunning(old);
    const fresh = this.dependencies.connect(next, this.wanted, () => this.current.peek());
    this.updates.dispose();
    this.updates = fresh.onDidUpdateResource((uri) => this.updated.fire(uri));
    this.connectionSignal.value = fresh;
    const { key } = previous;
    const changed = new PorticoError(
      'CONNECTION_LOST',
      `The request to "${key}" was cut off, because the configuration of the server changed. Send it again.`,
      { server: key },
    );
    const replaced = Promise.allSettled([this.replacing, old.stop(changed)]).then(() => {
      old.dispose();
      if (this.replacing !== replaced) {
        return;
      }
      this.replacing = undefined;
      if (this.resumes && !next.disabled) {
        // Its outcome is the connection's state; nobody waits for this start.
        fresh.start({ interactive: false }).catch(() => undefined);
      }
      this.resumes = false;
    });
    this.replacing = replaced;
    return replaced;
  }

  /** As what account it is used has changed: starts anew what runs, and what has waited for a sign-in. */
  async signInChanged(isSignedIn: boolean): Promise<void> {
    const { kind } = this.status.peek();
    const connection = await this.connection();
    const starts = kind === 'ready' || (isSignedIn && (kind === 'signInRequired' || kind === 'failed'));
    if (starts) {
      await connection.stop();
    }
    // What one account may see is nothing for another.
    await connection.forgetLists();
    if (starts) {
      // Its outcome is the connection's state.
      await connection.start({ interactive: false }).catch(() => undefined);
    }
  }

  async restart(options: StartOptions): Promise<void> {
    const connection = await this.connection();
    await connection.stop();
    await connection.start(options);
  }

  /** Ends the process and lets go of everything; the view is dead afterwards. */
  async close(): Promise<void> {
    this.resumes = false;
    try {
      await Promise.all([this.replacing, this.connectionSignal.peek().stop()]);
    } finally {
      this.dispose();
    }
  }

  dispose(): void {
    this.updates.dispose();
    this.updated.dispose();
    this.connectionSignal.peek().dispose();
  }

  private deriveStatus(): ServerStatus {
    const definition = this.current.value;
    const state = this.connectionSignal.value.state.value;
    if (definition.self) {
      return { kind: 'self' };
    }
    if (definition.disabled) {
      return { kind: 'off' };
    }
    switch (state.kind) {
      case 'starting':
      case 'ready':
      case 'reconnecting':
        return state;
      case 'stopped':
      case 'failed':
        break;
      default:
        return assertNever(state);
    }
    if (!this.dependencies.trusted.value && definition.source.scope !== 'user') {
      return { kind: 'restricted' };
    }
    if (definition.owner === 'editor' && state.kind === 'stopped') {
      return { kind: 'editor' };
    }
    // Read for its subscription: an answer to the consent question changes the status.
    void this.dependencies.consent.version.value;
    const consent = this.dependencies.consent.stateOf(definition);
    if (consent !== 'approved') {
      return { kind: 'notApproved', refused: consent === 'refused' };
    }
    return state.kind === 'failed' && state.problem.code === 'UNAUTHORIZED' && definition.launch.type !== 'stdio'
      ? { kind: 'signInRequired', problem: state.problem }
      : state;
  }
}

function isRunning(connection: Connection): boolean {
  const { kind } = connection.state.peek();
  return kind === 'ready' || kind === 'starting' || kind === 'reconnecting';
}
