import type { RecognizedServer, ServerDefinition } from '../../core/config/configTypes';
import type { ConsentUi } from '../../core/policy/policyTypes';
import { commands } from '../../ids';
import { runCommand } from '../interop/commands';
import type { Services } from '../interop/contribution';
import { offerUndo, type Undo } from '../interop/offerUndo';
import { back, pickStep } from '../interop/pickStep';
import { counted, inertLine } from '../interop/text';
import { askName, askWhat, title } from './addServerInput';
import { EntryStore } from './entryStore';
import type { ServersPorts } from './serversPorts';
import { type Target, targets } from './targets';
import { untilServer } from './untilServer';

interface AddServerPorts extends ServersPorts {
  /** Shows and selects a server's row. */
  readonly reveal: (server: string) => Promise<void>;
}

/** *Add Server…*: one box that takes anything, where it goes, the whole command for consent; then it runs. */
export async function addServer(services: Services, ports: AddServerPorts): Promise<void> {
  const chosen = await choose(services);
  if (!chosen) {
    return;
  }
  const { target, servers } = chosen;
  const named = await settleNames(services, target, servers);
  if (!named || !(await consented(ports.consentUi, target, named))) {
    return;
  }
  await add(services, ports, target, named);
}

async function choose({ hub }: Services) {
  let text = '';
  for (;;) {
    const what = await askWhat((pasted) => hub.recognizeServer(pasted), text);
    if (!what) {
      return undefined;
    }
    text = what.text;
    const names = what.servers.map(({ key }) => inertLine(key, 40)).join(', ');
    const target = await pickStep({
      title,
      step: 2,
      totalSteps: 2,
      placeholder: `Where ${names} ${what.servers.length === 1 ? 'is' : 'are'} kept`,
      items: targets(hub),
    });
    if (target !== back) {
      return target && { target, servers: what.servers };
    }
  }
}

/** A name that is taken anywhere is asked about, since two servers of one name shut each other out in VS Code's chat. */
async function settleNames(
  { hub }: Services,
  target: Target,
  servers: readonly RecognizedServer[],
): Promise<readonly RecognizedServer[] | undefined> {
  const taken = new Set(hub.servers.peek().map(({ definition }) => definition.key.toLowerCase()));
  const named: RecognizedServer[] = [];
  for (const server of servers) {
    const isTaken = (key: string): boolean => taken.has(key.toLowerCase());
    const key = isTaken(server.key) ? await askName(server.key, target.words, isTaken) : server.key;
    if (key === undefined) {
      return undefined;
    }
    taken.add(key.trim().toLowerCase());
    named.push({ ...server, key: key.trim() });
  }
  return named;
}

/** The whole command is in sight before anything is written. What goes into a file of VS Code's is VS Code's to ask about. */
async function consented(ui: ConsentUi, { source }: Target, servers: readonly RecognizedServer[]): Promise<boolean> {
  if (source.kind !== 'settings') {
    return true;
  }
  const definitions = servers.map(({ key, launch, inputs }): ServerDefinition => ({
    id: key,
    key,
    source,
    owner: 'portico',
    launch,
    disabled: false,
    self: false,
    inputs,
    consentDigest: '',
    launchDigest: '',
  }));
  const answers = await ui.ask(definitions);
  return definitions.every(({ id }) => answers.get(id) === 'run');
}

async function add(
  services: Services,
  { reveal, keepSecret }: AddServerPorts,
  { source, words }: Target,
  servers: readonly RecognizedServer[],
): Promise<void> {
  const { hub } = services;
  const edits = await hub.configEdits();
  const store = new EntryStore(() => hub.configEdits());
  const undos: Undo[] = [];
  for (const server of servers) {
    undos.unshift(await store.set(source, server.key, edits.entryFor(server, source.kind)));
  }
  const [first] = servers;
  const what = servers.length === 1 && first ? `"${inertLine(first.key, 60)}"` : counted(servers.length, 'server');
  offerUndo(`Added ${what} to ${words}.`, undos);
  for (const server of servers) {
    const view = await untilServer(hub, { source: source.id, key: server.key });
    if (!view) {
      continue;
    }
    for (const [input, value] of Object.entries(server.secrets)) {
      await keepSecret(view.definition, input, value);
    }
    await reveal(view.id);
    if (view.definition.owner === 'portico') {
      // What was agreed to is what was shown: an entry that someone else has changed meanwhile is asked about again.
      if (JSON.stringify(view.definition.launch) === JSON.stringify(server.launch)) {
        await hub.consent.approve(view.definition);
      }
      await runCommand(commands.startServer, view.id);
    }
  }
}
