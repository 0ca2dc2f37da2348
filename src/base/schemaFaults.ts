/** What a JSON Schema validator says of one fault. */
interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: object;
  readonly message?: string;
}

/** One value that does not fit. `path` is a JSON Pointer; empty for the whole. */
interface SchemaFault {
  readonly path: string;
  readonly message: string;
}

const maxErrors = 5;
const maxFaults = 50;

/** `q.limit must be integer; "name" is missing`: short, in the order of the schema. */
export function explainFaults(errors: readonly SchemaError[]): {
  readonly sentence: string;
  readonly faults: readonly SchemaFault[];
} {
  const told = errors.filter(({ keyword }) => keyword !== 'if').map(faultOf);
  const said = [...new Set(told.map(({ path, message }) => `${dotted(path)}${message}`))];
  const more = said.length > maxErrors ? `; and ${said.length - maxErrors} more` : '';
  return {
    sentence: `${said.slice(0, maxErrors).join('; ')}${more}`.slice(0, 1_000),
    faults: told.slice(0, maxFaults),
  };
}

function dotted(pointer: string): string {
  const path = pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
  return path === '' ? '' : `${path} `;
}

/** A fault at the value that it is about: the missing or unknown property itself, not the object around it. */
function faultOf({ instancePath, keyword, params, message }: SchemaError): SchemaFault {
  const { missingProperty, additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params as Readonly<
    Record<string, unknown>
  >;
  const below = (name: unknown): string =>
    `${instancePath}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  switch (keyword) {
    case 'required':
      return { path: below(missingProperty), message: 'is missing' };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return { path: below(additionalProperty ?? unevaluatedProperty), message: 'is not known' };
    case 'enum':
      return { path: instancePath, message: `must be one of ${JSON.stringify(allowedValues).slice(0, 200)}` };
    case 'const':
      return { path: instancePath, message: `must be ${JSON.stringify(allowedValue).slice(0, 200)}` };
    default:
      return { path: instancePath, message: message ?? `breaks the rule "${keyword}"` };
  }
}
