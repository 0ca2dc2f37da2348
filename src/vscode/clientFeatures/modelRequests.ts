import { type QuickPickItem, window } from 'vscode';
import { visibleJson } from '../../base/visibleJson';
import type { SamplingRecord } from '../../core/clientFeatures/samplingTypes';
import type { Hub } from '../../core/hubTypes';
import type { ServerArgument } from '../../ids';
import { pickServer } from '../interop/pickServer';
import { counted, inertLine } from '../interop/text';
import type { VirtualDocuments } from '../interop/virtualDocuments';

const icons: Readonly<Record<SamplingRecord['outcome'], string>> = {
  waiting: '$(question)',
  running: '$(loading)',
  ok: '$(check)',
  refused: '$(circle-slash)',
  failed: '$(error)',
  cancelled: '$(close)',
};

/** What one server had models do in this window: the list, and from it each request as a document, or all of them. */
export async function showModelRequests(hub: Hub, documents: VirtualDocuments, row: ServerArgument): Promise<void> {
  const { records } = hub.sampling;
  const title = 'Show Model Requests';
  const view = await pickServer(hub, row, title, ({ id }) => records.peek().some(({ server }) => server === id));
  if (!view) {
    return;
  }
  const own = records.peek().filter(({ server }) => server === view.id);
  const name = `Model requests of ${view.definition.key}`;
  const items: (QuickPickItem & { readonly records: readonly SamplingRecord[] })[] = own.map((record) => ({
    label: `${icons[record.outcome]} ${new Date(record.startedAt).toLocaleTimeString()}  ${inertLine(record.model?.name ?? '', 60)}`,
    description: [record.outcome, ...tokens(record)].join(', '),
    detail: inertLine(record.problem?.message ?? textOf(record), 160),
    records: [record],
  }));
  const all = { label: `$(list-flat) All ${own.length} as One Document`, records: own };
  const picked = await window.showQuickPick(own.length > 1 ? [...items, all] : items, {
    title: inertLine(name, 100),
    placeHolder: own.length > 0 ? 'Choose a request to read all of it' : 'It has asked for no model in this window.',
  });
  if (picked) {
    const texts = picked.records.map(readable);
    await documents.openDocument(`${name}.json`, `${visibleJson(texts.length === 1 ? texts[0] : texts)}\n`);
  }
}

function tokens({ inputTokens, outputTokens }: SamplingRecord): readonly string[] {
  return inputTokens === undefined ? [] : [`${inputTokens} + ${counted(outputTokens ?? 0, 'token')}`];
}

/** The beginning of what was asked last. */
function textOf({ params }: SamplingRecord): string {
  const content = params?.messages.at(-1)?.content ?? [];
  return [content]
    .flat()
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join(' ');
}

function readable({ startedAt, key, model, outcome, reviewed, inputTokens, outputTokens, ...rest }: SamplingRecord) {
  const { problem, durationMs, params, answer } = rest;
  return {
    time: new Date(startedAt).toISOString(),
    server: key,
    model: model && `${model.name} (${model.vendor}/${model.id})`,
    outcome,
    problem,
    reviewed,
    inputTokens,
    outputTokens,
    durationMs,
    request: params ?? 'too large to be kept',
    answer,
  };
}
