import type { ServerDefinition } from '../../core/config/configTypes';
import type { ConnectionLimits } from '../../core/connections/connectionTypes';
import type { ServerView } from '../../core/hubTypes';
import { counted, plainLine } from '../interop/text';
import { launchText, placeText } from './launchText';
import { serverRow } from './serverRow';

/** Above it stands *Change…*. */
export const rootsHeading = '## Roots it sees';

/** What a details document says beside what the view itself has. */
export interface DetailsOptions {
  /** The paths of the directories that the server is told of. */
  readonly roots: readonly string[];
  /** The accounts that it is used with, a line each. */
  readonly accounts: readonly string[];
  readonly trusted: boolean;
  /** The settings' bounds, which those of the entry go before. */
  readonly limits: Pick<ConnectionLimits, 'requestMs' | 'start' | 'startMs'>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A server as a Markdown document. It is shown as text and never rendered; server's words stand indented or in fences. */
export function serverDetails(view: ServerView, options: DetailsOptions): string {
  const { roots, accounts, trusted, limits, now } = options;
  const { definition } = view;
  const status = view.status.peek();
  const lists = view.lists.peek();
  const info = status.kind === 'ready' ? status.info : view.lastInfo.peek();
  const row = serverRow({ definition, status, lists, now });
  const { launch } = definition;
  const parts = [
    `# ${plainLine(definition.key)}`,
    bullets([
      ['State', row.spoken],
      ['Reason', 'problem' in status ? plainLine(status.problem.message, 1000) : undefined],
      ['Configured in', plainLine(placeText(definition))],
      ['Run for VS Code’s chat by', definition.owner === 'editor' ? 'VS Code' : 'Portico'],
      [launch.type === 'stdio' ? 'Command' : 'URL', `\`${launchText(launch).replaceAll('`', "'")}\``],
      ['In', launch.type === 'stdio' ? launch.cwd : undefined],
      ['Process', status.kind === 'ready' && status.pid !== undefined ? String(status.pid) : undefined],
      ['Same command as', definition.twin],
      ['Annotations', trusted ? 'believed' : 'not believed'],
      ...boundsOf(definition, limits),
    ]),
  ];
  if (info) {
    const { serverInfo } = info;
    parts.push(
      `## ${status.kind === 'ready' ? 'As it runs' : 'At its last start'}`,
      bullets([
        ['Calls itself', `${plainLine(serverInfo.title ?? serverInfo.name)} ${plainLine(serverInfo.version)}`],
        ['Protocol', `${info.protocolVersion}, ${info.era === 'stateless' ? 'stateless era' : 'session era'}`],
        [
          'Offers',
          Object.keys(info.capabilities)
            .map((name) => plainLine(name))
            .join(', ') || 'nothing',
        ],
        ['Log messages', info.capabilities.logging ? 'yes, in its log' : 'no'],
      ]),
    );
  }
  if (accounts.length > 0) {
    parts.push('## Signed in as', accounts.map((account) => `- ${account}`).join('\n'));
  }
  parts.push(rootsHeading, roots.length > 0 ? roots.map((root) => `- ${plainLine(root, 500)}`).join('\n') : 'None.');
  if (info?.instructions) {
    parts.push('## Instructions', fenced(info.instructions));
  }
  for (const [title, list, noun] of [
    ['Tools', lists.tools, 'tool'],
    ['Resources', lists.resources, 'resource'],
    ['Resource templates', lists.templates, 'template'],
    ['Prompts', lists.prompts, 'prompt'],
  ] as const) {
    const items = list.items.map(
      (item) => `- ${plainLine(item.name)}${item.title ? ` — ${plainLine(item.title)}` : ''}`,
    );
    const aside = list.setAside.map(
      (it) => `- ${plainLine(it.name)}: cannot be used: ${plainLine(it.problem.message, 400)}`,
    );
    if (items.length + aside.length > 0 || list.problem) {
      const from = list.from === 'cache' ? ', from its last start' : '';
      parts.push(`## ${title} (${counted(items.length, noun)}${from})`);
      parts.push([...items, ...aside, ...(list.problem ? [plainLine(list.problem.message, 400)] : [])].join('\n'));
    }
  }
  if (status.kind === 'failed' && status.detail.length > 0) {
    parts.push('## Last lines', fenced(status.detail.join('\n')));
  }
  return `${parts.join('\n\n')}\n`;
}

const starts = { onDemand: 'on first use', onOpen: 'with the window', manual: 'by hand' };

/** When it starts and how long it is waited for; what its entry says of that is marked. */
function boundsOf({ start, startMs, requestMs }: ServerDefinition, limits: DetailsOptions['limits']) {
  const row = (name: string, own: unknown, text: string) =>
    [name, own === undefined ? text : `${text} (its entry)`] as const;
  return [
    row('Starts', start, starts[start ?? limits.start ?? 'onDemand']),
    row('Time to start', startMs, `${(startMs ?? limits.startMs) / 1_000} s`),
    row('Time to answer', requestMs, `${(requestMs ?? limits.requestMs) / 1_000} s`),
  ];
}

function bullets(rows: readonly (readonly [string, string | undefined])[]): string {
  return rows.flatMap(([name, value]) => (value ? [`- ${name}: ${value}`] : [])).join('\n');
}

/** A fence longer than any run of backticks inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text.slice(0, 20_000)}\n${fence}`;
}
