import { endingsByType } from '../../base/mimeTypes';

const structured: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  yaml: 'application/yaml',
};

/** What the editor shows in a viewer of its own: pictures, sound, films. */
const viewed = /\.(png|jpe?g|jpe|gif|webp|bmp|avif|ico|mp3|wav|ogg|oga|mp4|webm)$/i;

/** The type without its parameters, in lower case. */
export function essence(mimeType: string | undefined): string {
  return (mimeType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The endings that a MIME type asks for, the usual one first; none where it says nothing (`text/plain`, `x/unknown`). */
export function endingsOf(mimeType: string | undefined): readonly string[] {
  const type = essence(mimeType);
  const suffix = structured[/\+(\w+)$/.exec(type)?.[1] ?? ''] ?? '';
  return endingsByType.get(type) ?? endingsByType.get(suffix) ?? [];
}

/** Whether the editor has a viewer for the bytes of a file of this name. */
export function hasViewer(name: string): boolean {
  return viewed.test(name);
}
