import { listOf, objectSchema, spanProperties, spanRequired } from '../toolSchemas';
import { severities } from './diagnosticItems';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

const item = objectSchema(
  {
    file: text,
    uri: text,
    ...spanProperties,
    severity: { type: 'string', enum: severities },
    message: text,
    source: text,
    code: text,
    codeUrl: text,
    tags: listOf(text),
    related: listOf(objectSchema({ file: text, ...spanProperties, message: text })),
    sourceLine: text,
    pastEnd: { type: 'boolean', description: 'The text ends before it: it is of an older text.' },
  },
  ['file', 'uri', ...spanRequired, 'severity', 'message'],
);

export const fileStateSchema = objectSchema(
  {
    file: text,
    uri: text,
    state: {
      type: 'string',
      enum: ['fresh', 'stale', 'timedOut', 'notAnalyzed'],
      description: 'fresh: of the text as it is now. Anything else: the absence of problems means nothing.',
    },
    reason: text,
    documentVersion: { type: 'integer' },
    waitedMs: count,
    dirty: { type: 'boolean', description: 'The text has changes that are not saved.' },
    problems: count,
  },
  ['file', 'uri', 'state', 'waitedMs', 'dirty', 'problems'],
);

export const itemsSchema = listOf(item);

export const diagnosticsSchema = objectSchema(
  {
    complete: { type: 'boolean', description: 'Whether every file asked for is fresh.' },
    incompleteBecause: text,
    filesInScope: count,
    filesLookedAt: count,
    files: listOf(fileStateSchema),
    counts: objectSchema(Object.fromEntries(severities.map((severity) => [severity, count]))),
    sources: { type: 'object', additionalProperties: count },
    baseline: { type: 'string', description: 'Give it as newSince to get only what is new since now.' },
    total: { ...count, description: 'Of the chosen severities, on all pages.' },
    items: itemsSchema,
    nextCursor: text,
  },
  ['complete', 'files', 'counts', 'sources', 'baseline', 'total', 'items'],
);
