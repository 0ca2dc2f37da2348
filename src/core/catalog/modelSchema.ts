import type { Tool } from '@modelcontextprotocol/client';
import { isObject } from '../../base/jsonObject';
import type { ModelSchema } from './catalogTypes';
import { SchemaCopy, TooLarge } from './schemaCopy';
import { liftCombinators } from './schemaRoot';
import { schemaProblem } from './schemaProblem';

/** Upper bound of a schema for models, in characters of JSON. */
export const maxModelSchema = 24_000;
const maxNotes = 1_000;

/** From careful to coarse: the first that fits is taken. Depth in levels of nesting, text in characters per description. */
const budgets = [
  { depth: 16, text: 2_000 },
  { depth: 8, text: 400 },
  { depth: 5, text: 160 },
  { depth: 3, text: 80 },
  { depth: 2, text: 0 },
];

const known = new WeakMap<Tool, ModelSchema>();

/** The copy for models of a tool's input schema, or why there is none. Cached per tool object. */
export function modelSchema(tool: Tool): ModelSchema {
  const cached = known.get(tool);
  if (cached) {
    return cached;
  }
  const made = adapt(tool);
  known.set(tool, made);
  return made;
}

function adapt(tool: Tool): ModelSchema {
  const problem = schemaProblem(tool);
  if (problem) {
    return { problem };
  }
  const original: unknown = tool.inputSchema;
  if (!isObject(original)) {
    return unusable(tool, 'is not a JSON object');
  }
  for (const budget of budgets) {
    try {
      const { root, notes } = liftCombinators(original);
      const type = root['type'];
      if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object'))) {
        return unusable(tool, 'does not describe an object');
      }
      const copy = new SchemaCopy(original, budget.depth, budget.text);
      const schema = copy.object({ ...root, type: 'object' });
      if (copy.unnameable !== undefined) {
        return unusable(tool, `requires an argument that models cannot name (${JSON.stringify(copy.unnameable)})`);
      }
      if (JSON.stringify(schema).length <= maxModelSchema) {
        const text = [...notes, ...copy.notes].join(' ').slice(0, maxNotes);
        return text === '' ? { schema } : { schema, notes: text };
      }
    } catch (error) {
      if (!(error instanceof TooLarge)) {
        throw error;
      }
    }
  }
  return unusable(tool, 'is too large for a model');
}

function unusable(tool: Tool, why: string): ModelSchema {
  return {
    problem: {
      code: 'TOOL_UNUSABLE',
      message: `Models cannot use the tool ${tool.name}: its input schema ${why}. It can still be run by hand.`,
    },
  };
}
