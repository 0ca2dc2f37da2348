import { type MessageItem, type QuickPickItem, window } from 'vscode';
import type { KeyValueStore } from '../../base/storage';
import type { RootsSource } from '../../core/clientFeatures/clientFeatureTypes';
import type { ServerDefinition } from '../../core/config/configTypes';
import type { ConsentAnswer, ConsentUi } from '../../core/policy/policyTypes';
import { commands } from '../../ids';
import { runCommand } from '../interop/commands';
import { rootsText } from '../interop/rootsText';
import { inert, inertLine, plainLine } from '../interop/text';
import { consentLines, type LaunchWords, launchWords } from './consentText';

const seenKey = 'consent.seen';

/** One modal question per batch, with everything in sight that consent is bound to. Only a person's act leads here. */
export class ConsentDialog implements ConsentUi {
  private asking: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly state: KeyValueStore,
    private readonly roots: RootsSource,
  ) {}

  /** Questions come one after another; a second one while the first is open waits for it. */
  ask(definitions: readonly ServerDefinition[]): Promise<ReadonlyMap<string, ConsentAnswer>> {
    const answer = this.asking.then(() => this.askNow(definitions));
    this.asking = answer.catch(() => undefined);
    return answer;
  }

  private async askNow(definitions: readonly ServerDefinition[]): Promise<ReadonlyMap<string, ConsentAnswer>> {
    const [first] = definitions;
    if (!first) {
      return new Map();
    }
    const answers = definitions.length === 1 ? await this.askOne(first) : await this.askMany(definitions, first);
    const approved = definitions.filter(({ id }) => answers.get(id) === 'run');
    if (approved.length > 0) {
      const words = approved.map(({ id, launch }) => [id, launchWords(launch)] as const);
      await this.state.set(seenKey, { ...this.seen(), ...Object.fromEntries(words) });
    }
    return answers;
  }

  private async askOne(definition: ServerDefinition): Promise<Map<string, ConsentAnswer>> {
    const before = this.seen()[definition.id];
    const name = plainLine(definition.key, 80);
    const choice = await this.modal(
      before ? `Run "${name}" although it has changed?` : `Run the server "${name}"?`,
      [...consentLines(definition, before), '', await this.toldOf(definition), from(definition)],
      definition.place ? ['Show Command', 'Run Server', 'Change…', 'Keep Off'] : ['Keep Off', 'Run Server'],
    );
    if (choice === 'Change…') {
      await runCommand(commands.changeRoots, definition.id);
      return this.askOne(definition);
    }
    return this.answered([definition], choice === 'Run Server' ? [definition] : undefined, choice, definition);
  }

  private async askMany(
    definitions: readonly ServerDefinition[],
    first: ServerDefinition,
  ): Promise<Map<string, ConsentAnswer>> {
    const seen = this.seen();
    const entries = definitions.map(async (it) => [
      `${plainLine(it.key, 80)}:`,
      ...consentLines(it, seen[it.id]),
      await this.toldOf(it),
      '',
    ]);
    const choice = await this.modal(
      `Run ${definitions.length} servers of ${plainLine(first.source.label, 80)}?`,
      (await Promise.all(entries)).flat(),
      ['Choose…', 'Run All', ...(first.place ? ['Show Command'] : []), 'Keep Off'],
    );
    const run = choice === 'Run All' ? definitions : choice === 'Choose…' ? await this.choose(definitions) : undefined;
    return this.answered(definitions, run, choice, first);
  }

  private async choose(definitions: readonly ServerDefinition[]): Promise<readonly ServerDefinition[] | undefined> {
    const items = definitions.map((definition): QuickPickItem & { readonly definition: ServerDefinition } => ({
      label: inertLine(definition.key, 80),
      detail: inert(consentLines(definition).join(' · ')),
      picked: true,
      definition,
    }));
    const picked = await window.showQuickPick(items, {
      title: 'Choose the servers that may run',
      canPickMany: true,
      ignoreFocusOut: true,
    });
    return picked?.map(({ definition }) => definition);
  }

  /** What was not chosen out of several is kept off; a closed dialog leaves everything as it was. */
  private async answered(
    definitions: readonly ServerDefinition[],
    run: readonly ServerDefinition[] | undefined,
    choice: string | undefined,
    shown: ServerDefinition,
  ): Promise<Map<string, ConsentAnswer>> {
    if (choice === 'Show Command') {
      await runCommand(commands.editServerConfiguration, shown.id);
    }
    const otherwise: ConsentAnswer = run || choice === 'Keep Off' ? 'keepOff' : 'later';
    return new Map(definitions.map((it) => [it.id, run?.includes(it) ? 'run' : otherwise]));
  }

  /** Enter takes the first button, which must run nothing: the dialog may come up under somebody's typing. */
  private async modal(
    message: string,
    lines: readonly string[],
    buttons: readonly string[],
  ): Promise<string | undefined> {
    const items = buttons.map((title): MessageItem => ({ title }));
    const picked = await window.showWarningMessage(message, { modal: true, detail: lines.join('\n').trim() }, ...items);
    return picked?.title;
  }

  private async toldOf(definition: ServerDefinition): Promise<string> {
    return rootsText((await this.roots.rootsFor(definition)).peek());
  }

  private seen(): Readonly<Record<string, LaunchWords>> {
    return this.state.get<Record<string, LaunchWords>>(seenKey) ?? {};
  }
}

function from({ source, place }: ServerDefinition): string {
  return `From ${plainLine(source.label, 80)}${place ? `, line ${place.line + 1}` : ''}. It runs with your rights on this machine.`;
}
