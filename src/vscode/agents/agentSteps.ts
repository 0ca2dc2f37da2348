import { access } from 'node:fs/promises';
import { env, type QuickPickItem } from 'vscode';
import { type back, pickStep } from '../interop/pickStep';
import { agentPrograms } from './agentPrograms';
import type { AgentProgram, AgentSurroundings } from './agentTypes';
import type { BridgeRunner, Offer } from './bridgeCommand';
import { shownPath } from './shownPath';

/** What the person has chosen so far. */
export interface Draft {
  /** Absent for an agent that Portico does not know: it gets a text to copy. */
  readonly program: AgentProgram | undefined;
  readonly offers: readonly Offer[];
  readonly way: 'bridge' | 'url';
}

export const title = 'Connect an Agent';

type Answer = Draft | typeof back | undefined;

interface Choice<T> extends QuickPickItem {
  readonly value: T;
}

const offerChoices: readonly Choice<readonly Offer[]>[] = [
  {
    label: 'Editor',
    detail: 'Files with unsaved text, problems, symbols, open editors, changes in Git',
    value: ['editor'],
  },
  {
    label: 'Editor and servers',
    detail: 'Besides, the tools, resources and prompts of the servers that Portico runs, under your approvals',
    value: ['editor', 'gateway'],
  },
  { label: 'Servers only', detail: 'One process of each, however many agents use it', value: ['gateway'] },
];

/** How many steps there are, the last one included, where the change is shown. */
export function totalSteps({ program }: Draft): number {
  return 2 + (program?.takesUrls === false ? 0 : 1) + (program ? 1 : 0);
}

export async function askAgent(draft: Draft, surroundings: AgentSurroundings): Promise<Answer> {
  const known = await Promise.all(
    agentPrograms.map(async (program): Promise<Choice<AgentProgram | undefined>> => {
      const file = program.file(surroundings);
      const description = (await isThere(file)) ? shownPath(file, surroundings) : 'no configuration yet';
      return { label: program.label, description, value: program };
    }),
  );
  const remote = place();
  const agents = [...known, { label: 'Another agent', description: 'copy as text', value: undefined }];
  const answer = await pickStep({
    title,
    step: 1,
    totalSteps: totalSteps(draft),
    placeholder: `Which agent?${remote === undefined ? '' : ` Its configuration ${remote} is meant`}`,
    items: agents,
    active: agents.find(({ value }) => value === draft.program),
  });
  return chosen(answer, ({ value }) => ({ ...draft, program: value, way: 'bridge' }));
}

export async function askOffers(draft: Draft): Promise<Answer> {
  const answer = await pickStep({
    title: titleOf(draft),
    step: 2,
    totalSteps: totalSteps(draft),
    placeholder: 'What does it get?',
    items: offerChoices,
    active: offerChoices.find(({ value }) => value === draft.offers),
  });
  return chosen(answer, ({ value }) => ({ ...draft, offers: value }));
}

export async function askWay(draft: Draft, runner: Promise<BridgeRunner>): Promise<Answer> {
  const { version } = await runner;
  const runBy = version === undefined ? 'the editor’s own program' : `Node.js ${version}`;
  const ways: readonly Choice<Draft['way']>[] = [
    {
      label: 'Bridge',
      description: 'recommended',
      detail: `Finds the window of the agent’s folder by itself. Run by ${runBy}`,
      value: 'bridge',
    },
    {
      label: 'URL',
      detail: 'This window only: each has a port of its own. The entry holds a token',
      value: 'url',
    },
  ];
  const answer = await pickStep({
    title: titleOf(draft),
    step: 3,
    totalSteps: totalSteps(draft),
    placeholder: 'How does it reach the window?',
    items: ways,
    active: ways.find(({ value }) => value === draft.way),
  });
  return chosen(answer, ({ value }) => ({ ...draft, way: value }));
}

/** The last step, over the change: `again` where it is another than the one that was shown before. */
export async function askWrite(
  draft: Draft,
  shownFile: string,
  isNew: boolean,
  again: boolean,
): Promise<'write' | 'copy' | typeof back | undefined> {
  const total = totalSteps(draft);
  const holds = draft.way === 'url' ? 'It holds a token: whoever has it gets in as this agent' : undefined;
  const items: readonly Choice<'write' | 'copy'>[] = [
    {
      label: '$(check) Write the Change',
      description: isNew ? `makes ${shownFile}` : shownFile,
      ...(holds && { detail: holds }),
      value: 'write',
    },
    { label: '$(copy) Copy Instead', description: 'to add it by hand', value: 'copy' },
  ];
  const answer = await pickStep({
    title: titleOf(draft),
    step: total,
    totalSteps: total,
    placeholder: again
      ? 'The file was changed meanwhile, and nothing was written. This is the change now'
      : ['This is the whole change of the file', place()].filter((text) => text !== undefined).join(' '),
    items,
  });
  return typeof answer === 'object' ? answer.value : answer;
}

function titleOf({ program }: Draft): string {
  return program ? `Connect ${program.label}` : title;
}

function chosen<T extends object>(answer: T | typeof back | undefined, next: (answer: T) => Draft): Answer {
  return typeof answer === 'object' ? next(answer) : answer;
}

/** Where the extension runs, and so the configuration lies; nothing where that is the person's own machine. */
function place(): string | undefined {
  switch (env.remoteName) {
    case undefined:
      return undefined;
    case 'wsl':
      return 'in WSL';
    case 'dev-container':
    case 'attached-container':
    case 'codespaces':
      return 'in the container';
    default:
      return 'on the remote machine';
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    // Or it is not ours to see; that shows when it is read.
    return false;
  }
}
