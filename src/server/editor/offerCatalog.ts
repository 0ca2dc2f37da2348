import type { ReadonlySignal } from '@preact/signals-core';
import { PorticoError } from '../../base/errors';
import { quoted } from '../../base/quoted';
import { settings } from '../../ids';
import { RefusedError } from '../refusedError';
import type { AgentClient } from '../serverTypes';
import type { EditorPorts } from './editorTypes';
import { assertLength, longest } from './inputLimits';
import type { ClientScope, EditorPrompt, EditorTool, OfferSet, OfferSubject, ResourceKind } from './offerTypes';

/** What a client may have; tracked where it reads signals. */
export type ScopeOf = (client: AgentClient) => ClientScope;

/** All that the editor server offers, and which of it a client may have. */
export class OfferCatalog {
  readonly allTools: readonly EditorTool[];
  private readonly subjects: ReadonlyMap<EditorTool | ResourceKind | EditorPrompt, OfferSubject | undefined>;

  constructor(
    private readonly sets: readonly OfferSet[],
    private readonly workspace: Pick<EditorPorts['workspace'], 'isTrusted'>,
    private readonly settings: ReadonlySignal<{ readonly groups: ReadonlySet<string> }>,
    private readonly scopeOf: ScopeOf,
  ) {
    const order = ['read', 'edit', 'run'];
    this.allTools = sets.flatMap(({ tools }) => tools).sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
    this.subjects = new Map(
      sets.flatMap(({ subject, tools, resources, prompts }) =>
        [...tools, ...resources, ...prompts].map((offer) => [offer, subject] as const),
      ),
    );
  }

  tools(client: AgentClient): readonly EditorTool[] {
    return this.allTools.filter((tool) => this.isOn(tool) && this.isInScope(tool, client));
  }

  kinds(client: AgentClient): readonly ResourceKind[] {
    return this.visible(client).flatMap(({ resources }) => resources);
  }

  prompts(client: AgentClient): readonly EditorPrompt[] {
    return this.visible(client).flatMap(({ prompts }) => prompts);
  }

  /** The kind that answers for a URI. Throws RESOURCE_UNKNOWN where this client has none, ARGUMENTS_INVALID where it is too long. */
  kindOf(uri: string, client: AgentClient): ResourceKind {
    assertLength('The URI', uri, longest.address);
    const kind = this.kinds(client).find((each) => each.owns(uri));
    if (kind === undefined) {
      const message = `There is no resource ${quoted(uri)} here.`;
      const isOutOfScope = this.sets.some(({ resources }) => resources.some((each) => each.owns(uri)));
      throw isOutOfScope ? new RefusedError(message) : new PorticoError('RESOURCE_UNKNOWN', message);
    }
    return kind;
  }

  /** Throws CALL_DENIED where the tool is off for this client, RESTRICTED_MODE where the workspace is not trusted. */
  assertUsable(tool: EditorTool, client: AgentClient): void {
    const { name } = tool.definition;
    if (!this.isOn(tool)) {
      throw new PorticoError(
        'CALL_DENIED',
        `${name} is off. The person can turn it on, with the other tools of its kind, by the setting ${settingOf[tool.group]}.`,
      );
    }
    if (!this.isInScope(tool, client)) {
      throw new PorticoError(
        'CALL_DENIED',
        `The person does not let ${client.label} use ${name}: the setting ${settings.agentsScopes} says what it may have.`,
      );
    }
    if (tool.group !== 'read' && !this.workspace.isTrusted.peek()) {
      throw new PorticoError(
        'RESTRICTED_MODE',
        `The workspace is not trusted, so ${name} is refused. The person can trust it in the editor.`,
      );
    }
  }

  private isOn({ group }: EditorTool): boolean {
    return group === 'read' || this.settings.value.groups.has(group);
  }

  private isInScope(tool: EditorTool, client: AgentClient): boolean {
    const scope = this.scopeOf(client);
    const subject = this.subjects.get(tool);
    return scope.groups.has(tool.group) && (subject === undefined || scope.subjects.has(subject));
  }

  private visible(client: AgentClient): readonly OfferSet[] {
    const { subjects } = this.scopeOf(client);
    return this.sets.filter(({ subject }) => subject === undefined || subjects.has(subject));
  }
}

/** What turns a group on. */
const settingOf: Readonly<Record<EditorTool['group'], string>> = {
  // Always on.
  read: settings.section,
  edit: settings.agentsEditTools,
  run: settings.agentsRunTools,
};

/** Everything that is on. */
export const wholeScope: ClientScope = {
  groups: new Set(['read', 'edit', 'run']),
  subjects: new Set(['diagnostics', 'views', 'files', 'symbols', 'git', 'tasks']),
};
