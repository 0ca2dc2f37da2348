import type { CreateMessageRequestParams, ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { type FixtureTool, textResult, type ToolCall } from './fixtureTypes';

async function elicit(
  { context }: ToolCall,
  message: string,
  properties: ElicitRequestFormParams['requestedSchema']['properties'],
) {
  const result = await context.mcpReq.send({
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required: [] } },
  });
  return textResult(`Elicitation completed: ${JSON.stringify(result)}`);
}

const titled = (title: string) => [1, 2, 3].map((n) => ({ const: `value${n}`, title: `${title} ${n}` }));
const options = ['option1', 'option2', 'option3'];

/** Tools that ask the client while they run: the session era. */
export const askingTools: Readonly<Record<string, FixtureTool>> = {
  test_sampling: {
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    run: async ({ context, args }) => {
      const params: CreateMessageRequestParams = {
        messages: [{ role: 'user', content: { type: 'text', text: String(args['prompt']) } }],
        maxTokens: 100,
      };
      const { content } = await context.mcpReq.send({ method: 'sampling/createMessage', params });
      return textResult(`LLM response: ${JSON.stringify(content)}`);
    },
  },
  test_elicitation: {
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    run: (call) =>
      elicit(call, String(call.args['message']), { response: { type: 'string', description: 'Response' } }),
  },
  test_elicitation_sep1034_defaults: {
    run: (call) =>
      elicit(call, 'All kinds of defaults', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
  },
  test_elicitation_sep1330_enums: {
    run: (call) =>
      elicit(call, 'All kinds of choices', {
        untitledSingle: { type: 'string', enum: options },
        titledSingle: { type: 'string', oneOf: titled('Option') },
        legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
        untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: options } },
        titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: titled('Choice') } },
      }),
  },
};
