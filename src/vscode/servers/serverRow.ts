import { assertNever } from '../../base/errors';
import type { ServerDefinition } from '../../core/config/configTypes';
import type { ConnectionState, ServerLists } from '../../core/connections/connectionTypes';
import type { ServerStatus } from '../../core/hubTypes';
import { counted, plainLine } from '../interop/text';
import { shortReason } from './failureReason';

export interface RowInput {
  readonly definition: ServerDefinition;
  readonly status: ServerStatus;
  readonly lists: ServerLists;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What a server's row shows. The description's first word carries the state, since a narrow view cuts the rest. */
export interface ServerRow {
  /** A codicon, and the theme colour where shape alone would be weak. */
  readonly icon: string;
  readonly color?: string;
  readonly description: string;
  /** As a screen reader says it, the key left out. */
  readonly spoken: string;
  /** Selects the row's actions in package.json. */
  readonly contextValue: string;
}

type Face = Omit<ServerRow, 'contextValue'>;
type Starting = Extract<ConnectionState, { kind: 'starting' }>;

/** When the text of a starting row changes, in milliseconds since the start; never oftener, for screen readers. */
export const startingSteps: readonly number[] = [5_000, 10_000, 30_000];

export function serverRow(input: RowInput): ServerRow {
  const { owner, launch } = input.definition;
  const marks = `${owner === 'editor' ? '.editorOwned' : ''}${launch.type === 'stdio' ? '' : '.remote'}`;
  return { ...face(input), contextValue: `server.${input.status.kind}${marks}` };
}

/** Whether the server waits for something that only the person can do: the badge counts these. */
export function needsPerson(status: ServerStatus): boolean {
  return (
    status.kind === 'failed' || status.kind === 'signInRequired' || (status.kind === 'notApproved' && !status.refused)
  );
}

/** `14 tools · 9 resources · 4 prompts`, what there is none of left out; empty where there is nothing. */
export function countsText(lists: ServerLists): string {
  const parts = [
    [lists.tools.items.length, 'tool'],
    [lists.resources.items.length, 'resource'],
    [lists.prompts.items.length, 'prompt'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => counted(count, noun))
    .join(' · ');
}

function face({ definition, status, lists, now }: RowInput): Face {
  switch (status.kind) {
    case 'stopped':
      return stopped(lists);
    case 'starting': {
      const text = startingText(status, now);
      return {
        icon: 'loading~spin',
        description: text,
        spoken: text.replace('…', ',').replace(/,$/, '').toLowerCase(),
      };
    }
    case 'ready': {
      const counts = countsText(lists);
      return {
        icon: 'pass-filled',
        color: 'testing.iconPassed',
        description: counts || 'Ready',
        spoken: spoken('ready', counts),
      };
    }
    case 'reconnecting': {
      const tries = `try ${status.attempt} of ${status.of}`;
      return { icon: 'sync~spin', description: `Reconnecting, ${tries}`, spoken: `reconnecting, ${tries}` };
    }
    case 'failed': {
      const reason = shortReason(status.problem, definition.key);
      return {
        icon: 'error',
        color: 'notificationsErrorIcon.foreground',
        description: `Failed: ${reason}`,
        spoken: `failed: ${reason}`,
      };
    }
    case 'signInRequired':
      return {
        icon: 'account',
        color: 'notificationsWarningIcon.foreground',
        description: 'Sign in required',
        spoken: 'sign in required',
      };
    case 'off':
      return { icon: 'circle-slash', description: 'Off', spoken: 'off' };
    case 'self':
      return {
        icon: 'circle-slash',
        description: 'Portico itself · never started',
        spoken: 'leads back to Portico itself, never started',
      };
    case 'restricted':
      return { icon: 'lock', description: 'Restricted Mode', spoken: 'off in Restricted Mode' };
    case 'notApproved': {
      const where = plainLine(definition.source.label, 40);
      return status.refused
        ? { icon: 'lock', description: 'Kept off · not approved', spoken: 'not approved, kept off' }
        : { icon: 'lock', description: `Not approved · ${where}`, spoken: `not approved, from ${where}` };
    }
    case 'editor':
      return { icon: 'vscode', description: 'Run by VS Code', spoken: 'run by VS Code' };
    default:
      return assertNever(status);
  }
}

function stopped(lists: ServerLists): Face {
  const known = lists.tools.from === 'none' ? '' : countsText(lists).split(' · ')[0];
  return known
    ? {
        icon: 'circle-outline',
        description: `${known} · starts on first use`,
        spoken: `stopped, ${known} known, starts on first use`,
      }
    : { icon: 'circle-outline', description: 'Stopped', spoken: 'stopped' };
}

function startingText(status: Starting, now: number): string {
  if (status.stage === 'signingIn') {
    return 'Starting… waiting for your sign-in';
  }
  const age = now - status.since;
  const step = startingSteps.findLast((ms) => age >= ms);
  if (step === undefined) {
    return 'Starting…';
  }
  if (status.stage === 'queued') {
    return 'Starting… after other servers';
  }
  if (status.stage === 'resolving') {
    return 'Starting… waiting for an input';
  }
  if (step === startingSteps[0]) {
    return status.stage === 'installing' ? 'Starting… installing package' : 'Starting… no answer yet';
  }
  return `Starting… no answer for ${step / 1000} s`;
}

function spoken(state: string, counts: string): string {
  return counts ? `${state}, ${counts.replaceAll(' · ', ', ')}` : state;
}
