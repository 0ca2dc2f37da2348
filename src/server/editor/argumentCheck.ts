import type { Tool } from '@modelcontextprotocol/server';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { PorticoError } from '../../base/errors';
import { explainFaults } from '../../base/schemaFaults';

/** Checks arguments against the tools' own schemas, each compiled when it is first needed. */
export class ArgumentCheck {
  private readonly ajv = new Ajv2020({ allErrors: true, ownProperties: true, strict: false });
  private readonly compiled = new WeakMap<Tool, ValidateFunction>();

  /** Throws ARGUMENTS_INVALID that names each argument that does not fit, and what the tool takes. */
  check(tool: Tool, args: Readonly<Record<string, unknown>>): void {
    const validate = this.compiled.get(tool) ?? this.ajv.compile(tool.inputSchema);
    this.compiled.set(tool, validate);
    if (validate(args) !== true) {
      const { sentence } = explainFaults(validate.errors ?? []);
      const known = Object.keys(tool.inputSchema.properties ?? {}).join(', ');
      throw new PorticoError(
        'ARGUMENTS_INVALID',
        `${sentence}. Call ${tool.name} again with that put right; it takes: ${known === '' ? 'nothing' : known}.`,
      );
    }
  }
}
