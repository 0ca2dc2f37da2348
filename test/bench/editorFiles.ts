import { delayFigures } from './loopDelay';
import { atMost, type Figure, interleave } from './measure';

const count = 100_000;

/** The files of a large workspace, as agents page and complete them. */
export async function editorFiles(): Promise<Figure[]> {
  const sample = (await interleave(['editorFiles'], 3, { count })).get('editorFiles')!;
  const figure = (name: string, key: string, target?: number): Figure =>
    atMost('editorFiles', `${name}, 100,000 files`, sample[key]!, 'ms', target);
  return [
    figure('first page, with the walk of the workspace', 'cold'),
    figure('first page', 'warm'),
    figure('all pages', 'all'),
    figure('first completion', 'completionFirst'),
    figure('completion, p50', 'completionP50'),
    figure('completion, p95', 'completionP95', 10),
    ...delayFigures('editorFiles', 'listing and paging 100,000 files', sample, 50),
  ];
}
