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
  return text
    .slice(0, 20_000)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 0);
}

/** The form under which a word is indexed and sought; nothing where it carries no meaning. */
export function stem(word: string): string | undefined {
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
