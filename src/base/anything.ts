/** A schema (Standard Schema 1) that takes any value as it came: whoever asked for it reads it. */
export const anything = {
  '~standard': { version: 1, vendor: 'portico', validate: (value: unknown) => ({ value }) },
} as const;
