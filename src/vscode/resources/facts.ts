import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import { sizeText } from '../../base/sizeText';
import { plainLine } from '../interop/text';
import { sizeOf } from './rowTexts';

/** What the server says of a resource or template beside its names, as the lines of a tooltip. */
export function facts(item: Resource | ResourceTemplateType): readonly string[] {
  const { mimeType, annotations } = item;
  const size = 'size' in item ? sizeOf(item as Resource) : undefined;
  const kind = [plainLine(mimeType ?? '', 80), size === undefined ? '' : `${sizeText(size)} (${size} bytes)`];
  return [kind.filter(Boolean).join(' · '), ...annotationLines(annotations)].filter(Boolean);
}

/** Annotations in words; what is not as the spec has it is left out. */
export function annotationLines(annotations: unknown): readonly string[] {
  if (typeof annotations !== 'object' || annotations === null) {
    return [];
  }
  const { audience, priority, lastModified } = annotations as Readonly<Record<string, unknown>>;
  const readers = Array.isArray(audience) ? audience.filter((one) => one === 'user' || one === 'assistant') : [];
  const lines: string[] = [];
  if (readers.length > 0) {
    lines.push(`For ${readers.map((one) => (one === 'user' ? 'the person' : 'the model')).join(' and ')}`);
  }
  if (typeof priority === 'number' && priority >= 0 && priority <= 1) {
    lines.push(`Priority ${Math.round(priority * 100) / 100}${priorityWords(priority)}`);
  }
  if (typeof lastModified === 'string') {
    const time = Date.parse(lastModified);
    lines.push(`Last modified ${Number.isNaN(time) ? plainLine(lastModified, 60) : new Date(time).toLocaleString()}`);
  }
  return lines;
}

/** What the spec says of the two ends. */
function priorityWords(priority: number): string {
  return priority === 1 ? ' (most important)' : priority === 0 ? ' (least important)' : '';
}
