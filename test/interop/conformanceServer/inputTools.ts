import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  type ClientCapabilities,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  type InputRequests,
  inputRequired,
} from '@modelcontextprotocol/server';
import { type FixtureTool, textResult, type ToolCall } from './fixtureTypes';

/** Seals what goes through the client, so that nobody can change it. */
export const requestState = createRequestStateCodec<Record<string, unknown>>({ key: randomBytes(32) });

export function question(
  message: string,
  name: string,
  kind: 'string' | 'boolean' = 'string',
): ReturnType<typeof inputRequired.elicit> {
  const requestedSchema: ElicitRequestFormParams['requestedSchema'] = {
    type: 'object',
    properties: { [name]: kind === 'string' ? { type: 'string' } : { type: 'boolean' } },
    required: [name],
  };
  return inputRequired.elicit({ message, requestedSchema });
}

const completion = (text: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 });

const answerTo = ({ context }: ToolCall, key: string): unknown => context.mcpReq.inputResponses?.[key];
const contentOf = ({ context }: ToolCall, key: string): Record<string, unknown> | undefined =>
  acceptedContent<Record<string, unknown>>(context.mcpReq.inputResponses, key);

/** Answers once all that it needs is there, and asks for it before. */
function asks(needs: () => InputRequests, has: (call: ToolCall) => boolean): FixtureTool {
  return {
    run: (call) => (has(call) ? textResult('complete') : inputRequired({ inputRequests: needs() })),
  };
}

const confirming = async (tool: string) =>
  inputRequired({
    inputRequests: { confirm: question('Please confirm', 'ok', 'boolean') },
    requestState: await requestState.mint({ tool }),
  });

/** Tools that ask by their result: the stateless era (spec 2026-07-28: multi round-trip requests). */
export const inputTools: Readonly<Record<string, FixtureTool>> = {
  test_missing_capability: asks(
    () => ({ llm_answer: completion('Reply with the single word: pong') }),
    (call) => answerTo(call, 'llm_answer') !== undefined,
  ),
  test_input_required_result_elicitation: {
    run: (call) => {
      const name = contentOf(call, 'user_name')?.['name'];
      return typeof name === 'string'
        ? textResult(`Hello, ${name}!`)
        : inputRequired({ inputRequests: { user_name: question('What is your name?', 'name') } });
    },
  },
  test_input_required_result_sampling: asks(
    () => ({ capital_question: completion('What is the capital of France?') }),
    (call) => answerTo(call, 'capital_question') !== undefined,
  ),
  test_input_required_result_list_roots: asks(
    () => ({ client_roots: inputRequired.listRoots() }),
    (call) => answerTo(call, 'client_roots') !== undefined,
  ),
  test_input_required_result_request_state: {
    run: (call) =>
      contentOf(call, 'confirm') !== undefined && call.context.mcpReq.requestState() !== undefined
        ? textResult('state-ok')
        : confirming('request_state'),
  },
  test_input_required_result_tampered_state: {
    run: (call) =>
      contentOf(call, 'confirm') !== undefined && call.context.mcpReq.requestState() !== undefined
        ? textResult('integrity-ok')
        : confirming('tampered_state'),
  },
  test_input_required_result_multiple_inputs: {
    run: async (call) =>
      ['user_name', 'greeting', 'client_roots'].every((key) => answerTo(call, key) !== undefined)
        ? textResult('complete')
        : inputRequired({
            inputRequests: {
              user_name: question('What is your name?', 'name'),
              greeting: completion('Generate a greeting'),
              client_roots: inputRequired.listRoots(),
            },
            requestState: await requestState.mint({ tool: 'multiple_inputs' }),
          }),
  },
  test_input_required_result_multi_round: {
    run: async (call) => {
      const state = call.context.mcpReq.requestState<Record<string, unknown>>();
      if (state?.['round'] === 2) {
        const color = String(contentOf(call, 'step2')?.['color']);
        return textResult(`${String(state['name'])} likes ${color}`);
      }
      const name = contentOf(call, 'step1')?.['name'];
      return state?.['round'] === 1
        ? inputRequired({
            inputRequests: { step2: question('Step 2: What is your favorite color?', 'color') },
            requestState: await requestState.mint({ round: 2, name }),
          })
        : inputRequired({
            inputRequests: { step1: question('Step 1: What is your name?', 'name') },
            requestState: await requestState.mint({ round: 1 }),
          });
    },
  },
  test_input_required_result_capabilities: {
    run: ({ context }) => {
      const envelope = context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
      const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
      const inputRequests: InputRequests = {
        ...(declared?.elicitation ? { user_name: question('What is your name?', 'name') } : {}),
        ...(declared?.sampling ? { greeting: completion('Generate a greeting') } : {}),
        ...(declared?.roots ? { client_roots: inputRequired.listRoots() } : {}),
      };
      return context.mcpReq.inputResponses !== undefined || Object.keys(inputRequests).length === 0
        ? textResult('complete')
        : inputRequired({ inputRequests });
    },
  },
};
