import { type QuickPickItem, window } from 'vscode';
import type { CommandArguments } from '../../ids';
import { commands } from '../../ids';
import { askArguments } from '../interop/askArguments';
import { runCommand } from '../interop/commands';
import type { Services } from '../interop/contribution';
import { serverCompletion } from '../interop/serverCompletion';
import { inertLine } from '../interop/text';
import { templateLabel } from './rowTexts';
import { templateFields, templateProblem, templateValues } from './templateArguments';

type TemplateArgument = NonNullable<CommandArguments['portico.openTemplate'][0]>;

/** Asks for the variables of a template, with the server's completion, and opens the resource that they make. */
export async function openTemplate({ hub }: Services, argument: TemplateArgument | undefined): Promise<void> {
  const chosen = argument ?? (await pickTemplate(hub));
  if (!chosen) {
    return;
  }
  const { server, template } = chosen;
  const view = hub.server(server);
  const entry = view?.lists.peek().templates.items.find(({ uriTemplate }) => uriTemplate === template);
  const { variables: variablesOf, expand } = await hub.uriTemplates();
  const variables = variablesOf(template);
  const complete = serverCompletion(hub, server, { type: 'ref/resource', uri: template });
  const label = entry ? templateLabel(entry) : template;
  const typed = await askArguments({
    title: `${inertLine(view?.definition.key ?? server, 40)} — ${inertLine(label, 60)}`,
    fields: templateFields(template, variables),
    ...(complete ? { complete } : {}),
  });
  if (typed) {
    await runCommand(commands.openResource, { server, uri: expand(template, templateValues(variables, typed)) });
  }
}

async function pickTemplate(hub: Services['hub']): Promise<TemplateArgument | undefined> {
  const usable = hub.catalog.templates.peek().filter(({ problem }) => problem === undefined);
  if (usable.length === 0) {
    void window.showInformationMessage(
      'No resource template is known yet. Templates are listed once their server has been started: see the Servers view.',
    );
    return undefined;
  }
  const { variables } = await hub.uriTemplates();
  const items = usable.map(({ server, key, item }): QuickPickItem & TemplateArgument => {
    const problem = templateProblem(item.uriTemplate, variables);
    return {
      label: `${problem === undefined ? '' : '$(warning) '}${inertLine(templateLabel(item), 80)}`,
      description: `${inertLine(key, 40)} · ${inertLine(item.uriTemplate, 120)}`,
      detail: inertLine(problem ?? item.description ?? '', 300),
      server,
      template: item.uriTemplate,
    };
  });
  return window.showQuickPick(items, {
    title: 'Open Resource Template',
    placeHolder: 'Choose a template. Enter asks for its variables.',
    matchOnDescription: true,
    matchOnDetail: true,
  });
}
