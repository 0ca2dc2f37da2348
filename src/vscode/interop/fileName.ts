const longest = 120;

/** A name as one path segment that every system and the tab's label can show. Its ending stays, which gives the language. */
export function fileName(name: string): string {
  const clean = name
    .replace(/[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff/\\:*?"<>|#%]+/gu, '-')
    .replace(/^\.+/, '');
  if (clean.length <= longest) {
    return clean || 'document';
  }
  const ending = /\.[\w-]{1,16}$/.exec(clean)?.[0] ?? '';
  // The cut may fall between the two halves of a character.
  return clean.slice(0, longest - ending.length).replace(/[\ud800-\udbff]$/, '') + ending;
}
