/** A place in a list or text as agents send it back: opaque to them, and no secret. */
export function writeCursor(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The parts as they were written; none where it is no cursor of ours. */
export function readCursor(cursor: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(read) ? read : [];
  } catch {
    // None of ours.
    return [];
  }
}
