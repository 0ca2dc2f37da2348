/** Where a text holds what the editor would take for a command in a link; offsets in UTF-16 units. */
export function commandLinks(text: string): readonly { readonly start: number; readonly end: number }[] {
  return Array.from(text.matchAll(/(?<![\w+.-])command:[^\s)>\]"']*/gi), ({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}
