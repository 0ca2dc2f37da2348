import type { Tool } from '@modelcontextprotocol/server';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { PorticoError } from '../../base/errors';
import { explainFaults } from '../../base/schemaFaults';
import { hasMoreValues } from '../../base/valueCount';

/** Of arguments of more values the first fault alone is told: there may be one in every value. */
const mostExplained = 5_000;

/** Checks arguments against the tools' own schemas, each compiled when it is first needed. */
export class ArgumentCheck {
  private readonly first = new Schemas(false);
  private readonly all = new Schemas(true);

  /** Throws ARGUMENTS_INVALID that names each argument that does not fit, and what the tool takes. */
  check(tool: Tool, args: Readonly<Record<string, unknown>>): void {
    const quick = this.first.of(tool);
    if (quick(args) !== true) {
      const full = hasMoreValues(args, mostExplained) ? quick : this.all.of(tool);
      full(args);
      const { sentence } = explainFaults(full.errors ?? []);
      const known = Object.keys(tool.inputSchema.properties ?? {}).join(', ');
      throw new PorticoError(
        'ARGUMENTS_INVALID',
        `${sentence}. Call ${tool.name} again with that put right; it takes: ${known === '' ? 'nothing' : known}.`,
      );
    }
  }
}

class Schemas {
  private readonly ajv: Ajv2020;
  private readonly compiled = new WeakMap<Tool, ValidateFunction>();

  constructor(allErrors: boolean) {
    this.ajv = new Ajv2020({ allErrors, ownProperties: true, strict: false });
  }

  of(tool: Tool): ValidateFunction {
    const validate = this.compiled.get(tool) ?? this.ajv.compile(tool.inputSchema);
    this.compiled.set(tool, validate);
    return validate;
  }
}
