import { homedir } from 'node:os';
import { env, ProgressLocation, Uri, window, workspace } from 'vscode';
import { PorticoError, toProblem } from '../../base/errors';
import { otherAgent } from '../../server/discovery/knownAgents';
import { toSignal } from '../interop/cancellation';
import type { Services } from '../interop/contribution';
import { offerUndo, takeBack, type Undo } from '../interop/offerUndo';
import { back } from '../interop/pickStep';
import type { SharingState } from '../interop/sharing';
import { counted, inertLine } from '../interop/text';
import { type AgentEntries, entriesText, planChange, writeChange } from './agentFile';
import { agentPrograms, anyProgram } from './agentPrograms';
import { askAgent, askOffers, askWay, askWrite, type Draft } from './agentSteps';
import type { AgentEntry, AgentProgram } from './agentTypes';
import { bridgeEntry, type BridgeRunner, findRunner, type Offer, runnerSurroundings } from './bridgeCommand';
import { showChange } from './changeDiff';
import { shownPath } from './shownPath';

/** Under which names agents list what a window has. */
const entryNames: Readonly<Record<Offer, string>> = { editor: 'portico-editor', gateway: 'portico-servers' };
const offerWords: Readonly<Record<Offer, string>> = { editor: 'the editor', gateway: 'the servers' };

/** What was done with the entries. */
interface Outcome {
  readonly program: AgentProgram | undefined;
  readonly entries: readonly (readonly [Offer, AgentEntry])[];
  readonly done: 'written' | 'copied' | 'unchanged';
  readonly undos: readonly Undo[];
}

/** How a connection went. */
type Reach =
  | { readonly kind: 'reached'; readonly what: string }
  | { readonly kind: 'failed'; readonly offer: Offer; readonly error: unknown }
  | { readonly kind: 'cancelled' };

/** *Connect an Agent…*: which, with what and how; the whole change of its configuration; then a connection as it makes one. */
export async function connectAgent(services: Services): Promise<void> {
  const shared = await services.sharing.start();
  const connector = new AgentConnector(services, shared);
  const outcome = await connector.ask();
  if (outcome) {
    await connector.test(outcome);
  }
}

class AgentConnector {
  private readonly surroundings = { platform: process.platform, home: homedir(), env: process.env };
  private readonly runner: Promise<BridgeRunner> = findRunner(runnerSurroundings());

  constructor(
    private readonly services: Services,
    private readonly shared: SharingState & { readonly kind: 'on' },
  ) {}

  /** Goes through the steps, back and forth. Nothing when it was closed. */
  async ask(): Promise<Outcome | undefined> {
    const steps = [
      (it: Draft) => askAgent(it, this.surroundings),
      askOffers,
      (it: Draft) => askWay(it, this.runner),
      (it: Draft) => this.finish(it),
    ];
    let draft: Draft = { program: agentPrograms[0], offers: ['editor'], way: 'bridge' };
    const skips = (index: number): boolean => index === 2 && draft.program?.takesUrls === false;
    let index = 0;
    for (let step = steps[index]; step; step = steps[index]) {
      const answer = await step(draft);
      if (answer === undefined || (answer !== back && 'done' in answer)) {
        return answer;
      }
      const direction = answer === back ? -1 : 1;
      draft = answer === back ? draft : answer;
      index += direction;
      index += skips(index) ? direction : 0;
    }
    return undefined;
  }

  /** Connects as the agent will, and says how that went. */
  async test({ program, entries, done, undos }: Outcome): Promise<void> {
    const who = program?.label ?? 'The agent';
    const title = program ? `Connecting as ${program.label} does…` : 'Connecting as an agent does…';
    const outcome = await window.withProgress(
      { location: ProgressLocation.Notification, title, cancellable: true },
      async (_, token) => {
        const cancel = toSignal(token);
        try {
          return await this.reach(entries, cancel.signal);
        } finally {
          cancel.dispose();
        }
      },
    );
    if (outcome.kind === 'failed') {
      const { offer, error } = outcome;
      this.services.logs.own.error(`${who} does not reach ${offerWords[offer]}.`, error);
      void this.tellFailure(`${who} cannot reach ${offerWords[offer]}: ${toProblem(error).message}`, undos);
      return;
    }
    const sentence = outcome.kind === 'reached' ? `${who} can reach ${outcome.what}.` : 'The connection was not tried.';
    const message = inertLine(`${sentence} ${this.afterwards(program, done)}`, 1_000);
    if (undos.length > 0) {
      offerUndo(message, undos);
    } else {
      void window.showInformationMessage(message);
    }
  }

  private async reach(entries: Outcome['entries'], signal: AbortSignal): Promise<Reach> {
    const reached: string[] = [];
    for (const [offer, entry] of entries) {
      try {
        reached.push(`${offerWords[offer]}: ${counted(await this.count(entry, signal), 'tool')}`);
      } catch (error) {
        return signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', offer, error };
      }
    }
    return { kind: 'reached', what: reached.join(', ') };
  }

  /** What the person does next. */
  private afterwards(program: AgentProgram | undefined, done: Outcome['done']): string {
    switch (done) {
      case 'written':
        return program?.afterwards ?? '';
      case 'unchanged':
        return 'Nothing had to be changed.';
      case 'copied': {
        const where = program ? shownPath(program.file(this.surroundings), this.surroundings) : 'its configuration';
        return `The entry is in the clipboard: add it to ${where}.`;
      }
    }
  }

  private async finish(draft: Draft): Promise<Outcome | typeof back | undefined> {
    const { program } = draft;
    const entries = await this.entries(draft);
    const copy = async (): Promise<Outcome> => {
      const edits = await this.services.hub.configEdits();
      await env.clipboard.writeText(entriesText(program ?? anyProgram, named(entries), edits));
      return { program, entries, done: 'copied', undos: [] };
    };
    if (!program) {
      return copy();
    }
    try {
      const answer = await this.review(draft, program, named(entries));
      if (answer === 'copy') {
        return await copy();
      }
      return typeof answer === 'object' ? { program, entries, ...answer } : answer;
    } catch (error) {
      if (!PorticoError.is(error, 'CONFIG_WRITE_FAILED')) {
        throw error;
      }
      this.services.logs.own.error(error.message, error.cause);
      return (await this.tellBroken(error.message, program)) ? copy() : undefined;
    }
  }

  /** Shows the change until it is the one that is written, or the person decides otherwise. */
  private async review(
    draft: Draft,
    program: AgentProgram,
    entries: AgentEntries,
  ): Promise<Pick<Outcome, 'done' | 'undos'> | 'copy' | typeof back | undefined> {
    const { documents, hub } = this.services;
    const edits = await hub.configEdits();
    for (let again = false; ; again = true) {
      const change = await planChange(program, entries, program.file(this.surroundings), edits);
      if (change.before === change.after) {
        return { done: 'unchanged', undos: [] };
      }
      const shown = shownPath(change.file, this.surroundings);
      const close = await showChange(documents, change, `${shown} (${program.label})`);
      try {
        const answer = await askWrite(draft, shown, change.before === undefined, again);
        if (answer !== 'write') {
          return answer;
        }
        const undo = await writeChange(change);
        if (undo) {
          return { done: 'written', undos: [undo] };
        }
      } finally {
        await close();
      }
    }
  }

  private async entries(draft: Draft): Promise<Outcome['entries']> {
    const { program, offers, way } = draft;
    if (way === 'bridge') {
      const runner = await this.runner;
      return offers.map((offer) => [offer, bridgeEntry(runner, this.shared.launcher, offer, program?.id)]);
    }
    const client = program ? { id: program.id, label: program.label } : otherAgent;
    const { origin, token } = await this.services.sharing.letInByUrl(client);
    const headers = { Authorization: `Bearer ${token}` };
    return offers.map((offer) => [offer, { kind: 'url', url: `${origin}/${offer}`, headers }]);
  }

  private async count(entry: AgentEntry, signal: AbortSignal): Promise<number> {
    const { countTools } = await import('./reach');
    const { context, logs } = this.services;
    const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
    return countTools(entry, {
      // As in a terminal of this window.
      env: { ...process.env, PORTICO_WINDOW: this.shared.window },
      cwd: folder ?? homedir(),
      version: String(context.extension.packageJSON.version),
      signal,
      say: (line) => logs.own.info(`Bridge: ${line}`),
    });
  }

  private async tellFailure(sentence: string, undos: readonly Undo[]): Promise<void> {
    const actions = undos.length > 0 ? ['Show Log', 'Undo'] : ['Show Log'];
    const answer = await window.showWarningMessage(inertLine(sentence, 1_000), ...actions);
    if (answer === 'Show Log') {
      this.services.logs.show();
    } else if (answer === 'Undo') {
      takeBack(undos);
    }
  }

  /** True where the person wants the entry to add it by hand. */
  private async tellBroken(sentence: string, program: AgentProgram): Promise<boolean> {
    const answer = await window.showErrorMessage(inertLine(sentence, 1_000), 'Open File', 'Copy Instead');
    if (answer === 'Open File') {
      await window.showTextDocument(Uri.file(program.file(this.surroundings)));
    }
    return answer === 'Copy Instead';
  }
}

function named(entries: Outcome['entries']): AgentEntries {
  return Object.fromEntries(entries.map(([offer, entry]) => [entryNames[offer], entry]));
}
