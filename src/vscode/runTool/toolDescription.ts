import type { CatalogTool } from '../../core/catalog/catalogTypes';
import { codeSpan, escapeMarkdown, fencedBlock } from '../interop/markdown';
import { fileName } from '../interop/fileName';

/** Path and text of the document that says all there is to know of a tool. */
export function toolDescription({ key, exposedName, tool, problem }: CatalogTool): [path: string, text: string] {
  const lines = [
    `# ${escapeMarkdown(tool.title ?? tool.name)}`,
    `${codeSpan(tool.name)} of ${codeSpan(key)}, for models ${codeSpan(exposedName)}`,
    ...(problem ? [`**Cannot be called:** ${escapeMarkdown(problem.message, 2000)}`] : []),
    ...(tool.description ? ['## Description', fencedBlock(tool.description)] : []),
    '## Arguments',
    fencedBlock(JSON.stringify(tool.inputSchema, undefined, 2), 'json'),
    ...(tool.outputSchema
      ? ['## Structured result', fencedBlock(JSON.stringify(tool.outputSchema, undefined, 2), 'json')]
      : []),
    ...(tool.annotations
      ? ['## What the server says of it', fencedBlock(JSON.stringify(tool.annotations, undefined, 2), 'json')]
      : []),
  ];
  return [`/documents/${fileName(`${tool.name} · ${key} · tool.md`)}`, `${lines.join('\n\n')}\n`];
}
