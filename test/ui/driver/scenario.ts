import { join } from 'node:path';
import type { QuickInput } from './quickInput';
import { type Entry, fixtureServer } from './servers';
import type { Workbench } from './workbench';
import { wholeLines } from '../../harness/wholeLines';

type ScenarioServer = 'travel' | 'weather' | 'calendar';

/** A line of the log that the scenario's servers share: a request that one was sent, or a nonce that it made. */
interface ScenarioEntry {
  readonly server: ScenarioServer;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly uri?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
  };
  readonly nonce?: string;
  readonly of?: string;
}

const server = (name: ScenarioServer): Entry => ({
  ...fixtureServer(name),
  env: { SCENARIO_LOG: '${workspaceFolder}/scenario.log' },
});

/** The travel, weather and calendar servers, with one log in the opened folder. */
export const scenarioServers = { travel: server('travel'), weather: server('weather'), calendar: server('calendar') };

/** Answers what the prompt of the travel server asks after the destination. */
export async function fillInVacation(quickInput: QuickInput): Promise<void> {
  await quickInput.waitForTitle('duration *');
  await quickInput.type('7');
  await quickInput.accept();
  await quickInput.waitForTitle('interests');
  await quickInput.pick('architecture');
  await quickInput.waitForTitle('budget');
  await quickInput.type('3000');
  await quickInput.accept();
}

/** Oldest first. */
export function scenarioLog({ folder }: Pick<Workbench, 'folder'>): ScenarioEntry[] {
  const log = join(folder, 'scenario.log');
  const lines = wholeLines(log);
  return lines.map((line) => JSON.parse(line) as ScenarioEntry);
}

/** What was made last from a tool, a resource or a prompt, by its name. */
export function scenarioNonce(workbench: Pick<Workbench, 'folder'>, of: string): string {
  return scenarioLog(workbench).findLast((entry) => entry.of === of)?.nonce ?? `none was made from ${of}`;
}

/** Names of the tools that a server was asked to call, oldest first. */
export function calledTools(workbench: Pick<Workbench, 'folder'>, server: ScenarioServer): string[] {
  return scenarioLog(workbench).flatMap((entry) =>
    entry.server === server && entry.method === 'tools/call' ? (entry.params?.name ?? []) : [],
  );
}
