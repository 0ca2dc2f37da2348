import type { Logger } from '../../base/log';
import type { Check } from './policyTypes';

/**
 * Compiles schemas of servers at first use, once per schema object. Dialects by `$schema`: draft-06, draft-07, 2019-09, 2020-12 (the
 * default). Nothing is ever fetched. What must not be called at all, the catalog says as the tool's problem.
 */
export class Validators {
  private readonly checks = new WeakMap<object, Check>();

  constructor(private readonly log: Logger) {}

  /** The check, where it is compiled already: the way of every call but the first. */
  ready(schema: object): Check | undefined {
    return this.checks.get(schema);
  }

  /**
   * `tool` names the schema in the log. Arguments are told every fault at once; results, whose size is not known, the first.
   */
  async checkFor(schema: object, which: 'input' | 'output', tool: string): Promise<Check> {
    const known = this.checks.get(schema);
    if (known) {
      return known;
    }
    const { compileSchema } = await import('./compileSchema');
    const made = this.checks.get(schema) ?? compileSchema(schema, which, `the ${which} schema of ${tool}`, this.log);
    this.checks.set(schema, made);
    return made;
  }
}
