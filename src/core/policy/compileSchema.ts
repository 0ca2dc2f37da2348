import type { Options, ValidateFunction } from 'ajv';
import { largerThan } from '../../base/jsonSize';
import type { Logger } from '../../base/log';
import { explainFaults } from '../../base/schemaFaults';
import { checkable, hearingSkips, schemaRegExp } from '../../base/schemaRegExp';
import { walkSchema } from '../../base/schemaWalk';
import { addFormats, Ajv, Ajv2019, Ajv2020, ajvCode } from './ajvClasses';
import { boundWork, CheckingWork, CompilingWork, WorkSpent } from './boundedWork';
import { withoutFaultyParts } from './faultyParts';
import type { Check } from './policyTypes';

/** References to nowhere that are taken out of a schema of arguments, one compilation each. */
const maxDangling = 10;
/** Nothing else runs while a schema is compiled: about a quarter of a second for so many parts. */
const maxParts = 1_000;
/** The same for what is looked through value by value, in characters. */
const maxLength = 500_000;
/** Nor while a value is checked: what is longer, in characters, is taken as it is. */
const maxChecked = 1_000_000;

const options: Options = {
  strict: false,
  validateSchema: false,
  addUsedSchema: false,
  logger: false,
  unicodeRegExp: false,
  // What is referred to from everywhere is compiled once, or a schema of few parts could become very much code.
  inlineRefs: false,
  // An argument may be called like something that every object inherits: `constructor`.
  ownProperties: true,
  code: { regExp: Object.assign(schemaRegExp, { code: 'schemaRegExp' }) },
};

/**
 * Compiles one schema. What does not compile (a misspelt type, a reference to nowhere) is said in the log. An output schema
 * then checks nothing; arguments are checked all the same, but for the property, or what the reference stands for. A schema
 * of very many parts checks nothing either; no value that is very long is checked, and no check goes on for long, by the
 * clock `now`, in milliseconds.
 */
export function compileSchema(
  sent: object,
  which: 'input' | 'output',
  what: string,
  log: Logger,
  now: () => number = () => performance.now(),
): Check {
  if (isTooLarge(sent)) {
    const reason = `it has more than ${maxParts} parts or ${maxLength} characters`;
    log.warn(`Nothing is checked against ${what}: ${reason}.`);
    return uncheckable(reason);
  }
  let schema = hasAsync(sent) ? without(sent, '$async', () => true) : sent;
  if (hasUncheckableNames(schema)) {
    const reason = 'it names properties by an expression that cannot be run safely';
    log.warn(`Nothing is checked against ${what}: ${reason}.`);
    return uncheckable(reason);
  }
  const dangling = new Set<string>();
  const skipped: string[] = [];
  const compiling = new CompilingWork();
  for (;;) {
    try {
      const checking = new CheckingWork(now);
      return checkOf(compile(schema, which === 'input', compiling, checking), skipped, checking);
    } catch (error) {
      const missing = which === 'input' && dangling.size < maxDangling ? missingRef(error) : undefined;
      if (missing === undefined || dangling.has(missing)) {
        const fault = (error instanceof Error ? error.message : String(error)).slice(0, 300);
        const repaired =
          which === 'input' ? withoutFaultyParts(schema, (part) => compiles(part, compiling)) : undefined;
        if (!repaired || repaired.left.length === 0 || compiling.isSpent) {
          const reason = compiling.isSpent ? new WorkSpent().message : fault;
          log.warn(`Nothing is checked against ${what}: ${reason}`);
          return uncheckable(reason);
        }
        schema = repaired.schema;
        const left = repaired.left.join(', ').slice(0, 300);
        skipped.push(`${left} (${fault})`);
        log.warn(`Of ${what}, ${left} is not checked: ${fault}`);
        continue;
      }
      dangling.add(missing);
      skipped.push(`what ${missing.slice(0, 200)} stands for, which is not there`);
      log.warn(`Nothing is checked where ${what} refers to ${missing.slice(0, 200)}, which is not there.`);
      // ajv gives the reference resolved: as it stands in the schema, it is the end of that.
      schema = without(schema, '$ref', (ref) => typeof ref === 'string' && missing.endsWith(ref));
    }
  }
}

function compile(
  schema: object,
  allErrors: boolean,
  compiling: CompilingWork,
  checking: CheckingWork,
): ValidateFunction {
  const settings = { ...options, allErrors };
  const dialect = '$schema' in schema && typeof schema.$schema === 'string' ? schema.$schema : '';
  // An instance of its own: schemas of different servers may claim the same `$id`.
  const ajv = /draft-0[67]/.test(dialect)
    ? new Ajv(settings)
    : dialect.includes('2019-09')
      ? new Ajv2019(settings)
      : new Ajv2020(settings);
  addFormats(ajv as unknown as Parameters<typeof addFormats>[0], { mode: 'fast' });
  // Draft-04's `id` is a word like any other in later drafts, and OpenAPI's `nullable` no reason to fail.
  ajv.removeKeyword('id');
  boundWork(ajv, ajvCode, compiling, checking);
  return ajv.compile(schema);
}

/** Whether a schema compiles, but for references to nowhere. */
function compiles(schema: object, compiling: CompilingWork): boolean {
  try {
    compile(schema, false, compiling, new CheckingWork(() => 0));
    return true;
  } catch (error) {
    return missingRef(error) !== undefined;
  }
}

function isTooLarge(schema: object): boolean {
  if (largerThan(schema, maxLength)) {
    return true;
  }
  let parts = 0;
  walkSchema(schema, () => {
    parts += 1;
    return parts <= maxParts;
  });
  return parts > maxParts;
}

/** ajv's own keyword: it would make the check a promise. */
function hasAsync(schema: object): boolean {
  let found = false;
  walkSchema(schema, (part) => {
    found ||= '$async' in part;
    return !found;
  });
  return found;
}

/** A copy in which the chosen sub-schemas do not have the keyword. */
function without(schema: object, keyword: string, chosen: (value: unknown) => boolean): object {
  const copy = structuredClone(schema);
  walkSchema(copy, (part) => {
    if (Object.hasOwn(part, keyword) && chosen(part[keyword])) {
      Reflect.deleteProperty(part, keyword);
    }
    return true;
  });
  return copy;
}

/** The reference that a schema could not be compiled for. */
function missingRef(error: unknown): string | undefined {
  return error instanceof Error && 'missingRef' in error && typeof error.missingRef === 'string'
    ? error.missingRef
    : undefined;
}

/** An expression for property names must be run or the schemas behind it apply to the wrong ones. */
function hasUncheckableNames(schema: object): boolean {
  let found = false;
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'patternProperties' && typeof value === 'object' && value !== null) {
      found ||= Object.keys(value).some((source) => !checkable(source));
    }
    return value;
  });
  return found;
}

function uncheckable(reason: string): Check {
  return (_value, onSkipped) => {
    onSkipped?.(`anything (the schema: ${reason})`);
    return undefined;
  };
}

function checkOf(validate: ValidateFunction, skipped: readonly string[], work: CheckingWork): Check {
  return (value, onSkipped = () => undefined) => {
    if (largerThan(value, maxChecked)) {
      onSkipped(`anything, for having more than ${maxChecked} characters`);
      return undefined;
    }
    skipped.forEach(onSkipped);
    let valid: unknown;
    work.begin();
    try {
      valid = hearingSkips(onSkipped, work.look, () => validate(value));
    } catch (error) {
      if (error instanceof RangeError) {
        // A value, or a schema that refers to itself, too deep to follow; the server checks for itself.
        onSkipped('anything, for being nested too deeply');
        return undefined;
      }
      if (error instanceof WorkSpent) {
        onSkipped('anything, for taking too long to check');
        return undefined;
      }
      throw error;
    }
    return valid === true ? undefined : explainFaults(validate.errors ?? []);
  };
}
