import type { MarkdownString } from 'vscode';
import { assertNever } from '../../base/errors';
import type { ServerView } from '../../core/hubTypes';
import { counted, plainLine, writtenOut } from '../interop/text';
import { Tooltip } from '../interop/tooltip';
import { facts } from './facts';
import type { Node } from './nodes';

/** What a row says when it is looked at closer. Servers wrote most of it. */
export function tooltipOf(node: Node): MarkdownString | undefined {
  switch (node.kind) {
    case 'server':
      return serverTooltip(node.view);
    case 'part':
    case 'resource': {
      const resource = node.view.lists.peek().resources.items.find(({ uri }) => uri === node.uri);
      const title = plainLine(resource?.title ?? resource?.name ?? node.uri);
      const tooltip = new Tooltip().title(title, plainLine(node.view.definition.key, 80));
      tooltip.line(plainLine(resource?.description ?? '', 800)).block([writtenOut(node.uri.slice(0, 1_000))]);
      (resource ? facts(resource) : []).forEach((line) => tooltip.line(line));
      return tooltip.markdown;
    }
    case 'template': {
      const template = node.view.lists.peek().templates.items.find(({ uriTemplate }) => uriTemplate === node.template);
      const title = plainLine(template?.title ?? template?.name ?? node.template);
      const tooltip = new Tooltip().title(title, 'template');
      tooltip.line(plainLine(template?.description ?? '', 800)).block([writtenOut(node.template.slice(0, 1_000))]);
      (template ? facts(template) : []).forEach((line) => tooltip.line(line));
      return tooltip.markdown;
    }
    case 'setAside': {
      const entry = node.view.lists.peek()[node.list].setAside[node.index];
      const tooltip = new Tooltip().title(plainLine(entry?.name ?? ''), 'cannot be used');
      return tooltip.line(plainLine(entry?.problem.message ?? '', 600)).markdown;
    }
    case 'folder':
    case 'range':
    case 'templates':
      return undefined;
    default:
      return assertNever(node);
  }
}

function serverTooltip({ definition, lists, status }: ServerView): MarkdownString {
  const { resources, templates } = lists.peek();
  const key = plainLine(definition.key, 80);
  const count = counted(resources.items.length, 'resource');
  const tooltip = new Tooltip().title(key, `${count}, ${counted(templates.items.length, 'template')}`);
  for (const { problem } of [resources, templates]) {
    tooltip.line(problem && plainLine(problem.message, 600));
  }
  if (resources.from !== 'none' && status.peek().kind !== 'ready') {
    tooltip.line('As it was at its last start. Opening a resource starts the server.');
  }
  return tooltip.markdown;
}
