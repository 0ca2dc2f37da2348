import { sizeText } from '../../base/sizeText';

/** Image types that models take. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** The type that the bytes say, whatever the server calls it; nothing where models would not take it. `base64` is valid base64. */
export function sniffImage(base64: string): ImageType | undefined {
  const head = Buffer.from(base64.slice(0, 24), 'base64').toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) {
    return 'image/png';
  }
  if (head.startsWith('\xff\xd8\xff')) {
    return 'image/jpeg';
  }
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) {
    return 'image/gif';
  }
  return head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP' ? 'image/webp' : undefined;
}

/** Standard base64, in full and padded or not; line breaks are taken out by the caller. */
export function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 !== 1 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** `3 B`, `12 KB`, `9 MB`: of the bytes that so much base64 stands for. */
export function sizeLabel(base64Length: number): string {
  return sizeText(Math.floor((base64Length * 3) / 4));
}
