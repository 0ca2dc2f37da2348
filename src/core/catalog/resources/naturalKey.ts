import { fold } from '../search/fold';

/** A key whose plain order is the natural one: case and diacritics don't count, `file2` stands before `file10`. */
export function naturalKey(label: string): string {
  return fold(label).replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    // More digits are more: the count goes first, as one character up to nine, and as a number behind ":" above.
    return number.length < 10 ? `${number.length}${number}` : `:${String(number.length).padStart(4, '0')}${number}`;
  });
}
