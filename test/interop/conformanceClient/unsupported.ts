/** Scenarios of extensions that are not built, by name, with the reason. */
export const UNSUPPORTED: Readonly<Record<string, string>> = {};
