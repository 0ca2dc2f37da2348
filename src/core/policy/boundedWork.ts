import type { _ as codeTag, Code, FuncKeywordDefinition, KeywordCxt, KeywordDefinition } from 'ajv';
import { canonicalJson } from '../../base/canonicalJson';
import { isObject } from '../../base/jsonObject';

/** What one check may take, in ms: no longer may anything hold the event loop. */
const longestCheck = 40;
/** Between two looks at the clock. */
const workOfSlice = 5_000;
/** What all compilations of one schema may cost together: about a quarter of a second. */
const workOfCompiling = 12_000;
/** What an instance of ajv costs by itself. */
const workOfInstance = 20;

/** Keywords of objects that go through all keys of the value. */
const sweeps = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
]);

/** A check, or the compilation for it, was given up. */
export class WorkSpent extends Error {
  constructor() {
    super('it takes too long to compile');
    this.name = 'WorkSpent';
  }
}

/** Pays for the compilations of one schema; counted, not timed, as what comes of them is kept. */
export class CompilingWork {
  private left = workOfCompiling;

  get isSpent(): boolean {
    return this.left < 0;
  }

  spend(weight: number): void {
    this.left -= weight;
    if (this.left < 0) {
      throw new WorkSpent();
    }
  }
}

/** Ends a check after `longestCheck`; the weights only say when to look at the clock. */
export class CheckingWork {
  private left = 0;
  private end = 0;

  /** `now` gives milliseconds since whenever. */
  constructor(private readonly now: () => number) {}

  begin(): void {
    this.left = workOfSlice;
    this.end = this.now() + longestCheck;
  }

  readonly spend = (weight: number): void => {
    this.left -= weight;
    if (this.left < 0) {
      this.look();
    }
  };

  /** Throws WorkSpent when the time is over. */
  readonly look = (): void => {
    this.left = workOfSlice;
    if (this.now() > this.end) {
      throw new WorkSpent();
    }
  };
}

/** What is asked of an instance of ajv here. */
interface Bounded {
  readonly RULES: {
    readonly rules: readonly { readonly rules: readonly { readonly definition: KeywordDefinition }[] }[];
    readonly post: { readonly rules: readonly { readonly definition: KeywordDefinition }[] };
  };
  removeKeyword(keyword: string): unknown;
  addKeyword(definition: FuncKeywordDefinition): unknown;
}

/** What ajv's generated code is written with. */
type CodeTag = typeof codeTag;

/**
 * Makes every keyword of the instance pay before it does anything: at compilation, and in the generated code. A value may
 * be gone through exponentially often (references that meet again, branches that fail at the bottom), wherever in the schema
 * that comes from.
 */
export function boundWork(ajv: Bounded, code: CodeTag, compiling: CompilingWork, checking: CheckingWork): void {
  compiling.spend(workOfInstance);
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword(uniqueItems(checking));
  const spend = { ref: checking.spend };
  // The definitions on the rules are copies that belong to the instance.
  for (const { rules } of [...ajv.RULES.rules, ajv.RULES.post]) {
    for (const { definition } of rules) {
      const inner = 'code' in definition ? definition.code : undefined;
      if (inner === undefined) {
        continue;
      }
      Object.assign(definition, {
        code: (context: KeywordCxt, type?: string) => {
          const weight = partsOf(context.schema);
          // Of a longer list a loop is made.
          compiling.spend(Math.min(weight, 200));
          const name = context.gen.scopeValue('func', spend);
          context.gen.code(code`${name}(${weightIn(context, weight, type, code)})`);
          return inner.call(definition, context, type as never);
        },
      });
    }
  }
}

/** The weight as an expression of the generated code. */
function weightIn(context: KeywordCxt, parts: number, type: string | undefined, code: CodeTag): Code {
  const { keyword, data, allErrors, parentSchema } = context;
  if (keyword === '$ref' || keyword === '$dynamicRef' || keyword === '$recursiveRef') {
    // The errors so far are copied where what is referred to has some, too.
    return allErrors === true ? code`3 + (vErrors === null ? 0 : vErrors.length)` : code`3`;
  }
  if (sweeps.has(keyword)) {
    const patterns = isObject(parentSchema['patternProperties']) ? partsOf(parentSchema['patternProperties']) : 0;
    return code`${parts} + Object.keys(${data}).length * ${6 * (1 + patterns)}`;
  }
  if (keyword === 'enum' || keyword === 'const') {
    return code`${parts + (JSON.stringify(context.schema).length >> 5)}`;
  }
  if (type === 'string') {
    return code`${parts} + (${data}.length >> 3)`;
  }
  return type === 'array' ? code`${parts} + ${data}.length` : code`${parts}`;
}

/** How much there is of what stands behind a keyword; 1 at least. */
function partsOf(value: unknown): number {
  const parts = Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 1;
  return Math.max(1, parts);
}

/** ajv's own compares each object with each. */
function uniqueItems(work: CheckingWork): FuncKeywordDefinition {
  return {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    error: { message: 'must NOT have duplicate items' },
    validate: (wanted: boolean, items: readonly unknown[]): boolean => {
      if (!wanted) {
        return true;
      }
      const seen = new Set<string>();
      return items.every(
        (item) => seen.size < seen.add(canonicalJson(item, (part) => work.spend(weightOf(part)))).size,
      );
    },
  };
}

/** What it takes to write a value down; those within it come by themselves. */
function weightOf(value: unknown): number {
  if (Array.isArray(value)) {
    return 2 + value.length;
  }
  return 2 + (isObject(value) ? 4 * Object.keys(value).length : typeof value === 'string' ? value.length >> 4 : 0);
}
