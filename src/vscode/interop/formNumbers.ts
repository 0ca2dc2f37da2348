interface NumberBounds {
  readonly integer: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

/** A number exactly as typed: `42xyz` is refused, and so is what a double cannot hold (it would be sent as another number). */
export function parseNumber(
  bounds: NumberBounds,
  text: string,
): { readonly value: number } | { readonly error: string } {
  const typed = text.trim();
  const value = Number(typed);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(typed) || !Number.isFinite(value)) {
    return { error: bounds.integer ? 'Enter a whole number.' : 'Enter a number.' };
  }
  if (bounds.integer && !Number.isInteger(value)) {
    return { error: 'Enter a whole number.' };
  }
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^[+-]?\d+$/.test(typed)) {
    return { error: 'This number is too large to be sent exactly.' };
  }
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  if (minimum !== undefined && value < minimum) {
    return { error: `At least ${minimum}, please.` };
  }
  if (maximum !== undefined && value > maximum) {
    return { error: `At most ${maximum}, please.` };
  }
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return { error: `More than ${exclusiveMinimum}, please.` };
  }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    return { error: `Less than ${exclusiveMaximum}, please.` };
  }
  return { value };
}
