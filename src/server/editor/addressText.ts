/** A path in a URI, encoded or not; what is neither stays as it is, and names no file. */
export function decoded(path: string): string {
  if (/^file:/i.test(path)) {
    return path;
  }
  try {
    return decodeURIComponent(path);
  } catch {
    // A bare percent sign: clients expand templates without encoding it.
    return path;
  }
}
