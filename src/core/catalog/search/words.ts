/** Words that say nothing about which tool is meant. */
const stopWords = new Set(
  (
    'a an and any are as at be by can could do does for from get give go had has have how i if in into is it its just let like me my ' +
    'need of on or our out please show so some tell that the their them then there these they this those to up us use using via ' +
    'want was we were what when where which who will with would you your'
  ).split(' '),
);

/** Splits text and identifiers (`camelCase`, `snake_case`, `HTTPServer2`) into lower-case words. */
export function splitWords(text: string): string[] {
  const start = text.slice(0, 20_000);
  // Most text is ASCII, and there the plain classes are several times as fast.
  const words = /^[\x00-\x7f]*$/.test(start)
    ? start.replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2').match(/[A-Za-z0-9]+/g)
    : start
        .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
        .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
        .match(/[\p{L}\p{N}]+/gu);
  return (words ?? []).map((word) => word.toLowerCase());
}

const known = new Map<string, string | undefined>();
const maxKnown = 50_000;

/** The form under which a word is indexed and sought; nothing where it carries no meaning. */
export function stem(word: string): string | undefined {
  if (known.has(word)) {
    return known.get(word);
  }
  const made = makeStem(word);
  if (known.size < maxKnown) {
    known.set(word, made);
  }
  return made;
}

function makeStem(word: string): string | undefined {
  if (stopWords.has(word)) {
    return undefined;
  }
  if (word.length < 4 || !/^[a-z]+$/.test(word)) {
    return word;
  }
  const cut = word
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/ies$/, 'y')
    .replace(/([^su])s$/, '$1')
    .replace(/(ation|ating|ated|ate)$/, 'at')
    .replace(/(?<=[a-z]{3})(ing|ed)$/, '')
    .replace(/(?<=[a-z]{3})(ment|er|or)$/, '')
    .replace(/(?<=[a-z]{2})([bdfgmnprt])\1$/, '$1');
  return cut.replace(/(?<=[a-z]{2})[ey]$/, '');
}
