import {
  acceptedContent,
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  type PromptMessage,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { PNG } from './fixtureTypes';
import { question } from './inputTools';

type Arguments = Readonly<Record<string, string>>;
interface FixturePrompt {
  readonly args?: readonly string[];
  get(args: Arguments, context: ServerContext): GetPromptResult | InputRequiredResult;
}

const messages = (...contents: PromptMessage['content'][]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
});

const prompts: Readonly<Record<string, FixturePrompt>> = {
  test_simple_prompt: { get: () => messages({ type: 'text', text: 'This is a simple prompt for testing.' }) },
  test_prompt_with_arguments: {
    args: ['arg1', 'arg2'],
    get: ({ arg1, arg2 }) => messages({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  },
  test_prompt_with_embedded_resource: {
    args: ['resourceUri'],
    get: ({ resourceUri = '' }) =>
      messages(
        {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ),
  },
  test_prompt_with_image: {
    get: () =>
      messages(
        { type: 'image', data: PNG, mimeType: 'image/png' },
        { type: 'text', text: 'Please analyze the image above.' },
      ),
  },
  test_input_required_result_prompt: {
    get: (_args, context) => {
      const answer = acceptedContent<{ context: string }>(context.mcpReq.inputResponses, 'user_context');
      return answer === undefined
        ? inputRequired({
            inputRequests: { user_context: question('What context should the prompt use?', 'context') },
          })
        : messages({ type: 'text', text: `Use the following context: ${answer.context}` });
    },
  },
};

export function addFixturePrompts(server: Server): void {
  server.setRequestHandler('prompts/list', async () => ({
    prompts: Object.entries(prompts).map(([name, { args = [] }]) => ({
      name,
      description: `The suite's ${name}`,
      arguments: args.map((argument) => ({ name: argument, description: argument, required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const prompt = prompts[params.name];
    if (prompt === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${params.name}.`);
    }
    return prompt.get(params.arguments ?? {}, context);
  });
  server.setRequestHandler('completion/complete', async ({ params: { argument } }) => ({
    completion: {
      values: ['one', 'two'].filter((value) => value.startsWith(argument.value)),
      total: 2,
      hasMore: false,
    },
  }));
}
