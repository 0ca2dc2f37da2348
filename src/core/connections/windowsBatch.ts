/** A file that `cmd.exe` runs: it reads its arguments as text, twice, so that not every argument can be handed over safely. */
export function isBatchFile(file: string | undefined): boolean {
  return /\.(cmd|bat)$/i.test(file ?? '');
}

/**
 * The first argument that a batch file would not get as it is, or by which `cmd.exe` would run something else: a line break ends
 * the line, and behind a double quote these characters count as its own when the batch file passes its arguments on.
 */
export function unsafeForBatch(args: readonly string[]): string | undefined {
  return args.find((arg) => /[\r\n\0]/.test(arg) || (arg.includes('"') && /[&|<>^%!()]/.test(arg)));
}
