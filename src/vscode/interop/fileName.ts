/** A name as one path segment that every system and the tab's label can show. */
export function fileName(name: string): string {
  const clean = name.replace(
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff/\\:*?"<>|#%]+/gu,
    '-',
  );
  return clean.replace(/^\.+/, '').slice(0, 120) || 'document';
}
