import type { MarkdownString } from 'vscode';
import { assertNever } from '../../base/errors';
import type { Hub, ServerView } from '../../core/hubTypes';
import { taskText } from '../interop/taskText';
import { plainLine } from '../interop/text';
import { Tooltip } from '../interop/tooltip';
import { accountLines } from './accountLines';
import { launchText, placeText } from './launchText';
import type { Node } from './nodes';
import { countsText } from './serverRow';

/** What a row says when it is looked at closer. */
export async function tooltipOf(hub: Hub, node: Node): Promise<MarkdownString | undefined> {
  switch (node.kind) {
    case 'server':
    case 'hint':
      return serverTooltip(node.view, await accountLines(hub, node.view));
    case 'problem': {
      const { problem } = node;
      const name = plainLine(problem.key ?? problem.source.label, 80);
      return about(name, 'configuration problem', plainLine(problem.message, 600), placeText(problem));
    }
    case 'tool': {
      const tool = node.view.lists.peek().tools.items.find(({ name }) => name === node.tool);
      return about(plainLine(node.tool), 'tool', plainLine(tool?.description ?? '', 800));
    }
    case 'prompt': {
      const prompt = node.view.lists.peek().prompts.items.find(({ name }) => name === node.prompt);
      return about(plainLine(node.prompt), 'prompt', plainLine(prompt?.description ?? '', 800));
    }
    case 'setAside': {
      const entry = node.view.lists.peek()[node.list].setAside[node.index];
      return about(plainLine(entry?.name ?? ''), 'cannot be used', plainLine(entry?.problem.message ?? '', 600));
    }
    case 'task': {
      const task = hub.tasks.peek().find(({ server, id }) => server === node.server && id === node.task);
      return (
        task &&
        about(plainLine(task.tool), 'task', taskText(task), `Since ${new Date(task.createdAt).toLocaleTimeString()}`)
      );
    }
    case 'group':
    case 'tasks':
    case 'restricted':
      return undefined;
    default:
      return assertNever(node);
  }
}

function about(name: string, what: string, ...lines: readonly string[]): MarkdownString {
  const tooltip = new Tooltip().title(name, what);
  lines.forEach((line) => tooltip.line(line));
  return tooltip.markdown;
}

/** State and reason first, then what to do, then what is run and where that is written. */
function serverTooltip(view: ServerView, accounts: readonly string[]): MarkdownString {
  const { definition } = view;
  const status = view.status.peek();
  const tooltip = new Tooltip();
  const info = status.kind === 'ready' ? status.info : view.lastInfo.peek();
  const key = plainLine(definition.key);
  switch (status.kind) {
    case 'ready': {
      const { protocolVersion, era, serverInfo } = status.info;
      tooltip.title(key, `ready, ${protocolVersion} (${era})`);
      tooltip.line(
        [plainLine(serverInfo.name, 60), plainLine(serverInfo.version, 40), status.pid && `pid ${status.pid}`]
          .filter(Boolean)
          .join(' · '),
      );
      break;
    }
    case 'starting':
      tooltip.title(key, `starting: ${stages[status.stage]}`);
      break;
    case 'reconnecting':
      tooltip.title(key, `reconnecting, try ${status.attempt} of ${status.of}`).line(plainLine(status.reason, 400));
      break;
    case 'failed':
      tooltip.title(key, 'failed').line(plainLine(status.problem.message, 600));
      tooltip.block(lastLines(status.detail, status.problem.message));
      tooltip.line('Correct its entry or what it needs, then restart it. Its log has every line.');
      break;
    case 'signInRequired':
      tooltip.title(key, 'sign in required').line(plainLine(status.problem.message, 600));
      break;
    case 'notApproved':
      tooltip.title(key, status.refused ? 'kept off' : 'not approved');
      tooltip.line('This command comes from the workspace. It runs only after you have reviewed it.');
      break;
    case 'restricted':
      tooltip.title(key, 'off in Restricted Mode').line('Nothing of a folder that you do not trust is started.');
      break;
    case 'editor':
      tooltip.title(key, 'run by VS Code');
      tooltip.line(
        "VS Code's chat uses its own copy. Portico starts a second process only if you open something here.",
      );
      break;
    case 'off':
      tooltip.title(key, 'off').line('The entry says `disabled`.');
      break;
    case 'self':
      tooltip.title(key, 'never started').line('This entry leads back to Portico itself.');
      break;
    case 'stopped':
      tooltip.title(key, 'stopped');
      break;
    default:
      assertNever(status);
  }
  for (const account of accounts.slice(0, 5)) {
    tooltip.line(account);
  }
  tooltip.line(countsText(view.lists.peek()));
  const lists = view.lists.peek();
  for (const list of [lists.tools, lists.resources, lists.templates, lists.prompts]) {
    tooltip.line(list.problem && plainLine(list.problem.message, 300));
  }
  tooltip.line(definition.twin && plainLine(definition.twin, 200));
  if (status.kind !== 'ready' && info && lists.tools.from === 'cache') {
    tooltip.line(`Counts are from its last start (${info.protocolVersion}).`);
  }
  tooltip.line(definition.launch.type === 'stdio' ? 'Command:' : 'URL:');
  tooltip.block([plainLine(launchText(definition.launch), 500)]);
  return tooltip.line(plainLine(placeText(definition), 200)).markdown;
}

/** The end of what the server said, without stack frames and without what the reason quotes already. */
function lastLines(detail: readonly string[], reason: string): readonly string[] {
  return detail
    .filter((line) => !/^\s*at\s/.test(line) && !(line.trim() !== '' && reason.includes(line.trim())))
    .slice(-5)
    .map((line) => plainLine(line, 200));
}

const stages = {
  queued: 'waits for other servers to start',
  resolving: 'reads its variables',
  launching: 'starts the process',
  connecting: 'waits for an answer',
  signingIn: 'waits for you to sign in',
  installing: 'waits for an answer; the package may have to be fetched first',
} as const;
