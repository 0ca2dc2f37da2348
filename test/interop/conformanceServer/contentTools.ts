import { type FixtureTool, PNG, textResult, WAV } from './fixtureTypes';

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Tools that answer by themselves. */
export const contentTools: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: { run: () => textResult('This is a simple text response for testing.') },
  test_image_content: { run: () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }) },
  test_audio_content: { run: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }) },
  test_embedded_resource: {
    run: () => ({
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    }),
  },
  test_multiple_content_types: {
    run: () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: '{"test":"data","value":123}',
          },
        },
      ],
    }),
  },
  test_error_handling: {
    run: () => ({ ...textResult('This tool intentionally returns an error for testing'), isError: true }),
  },
  test_tool_with_logging: {
    run: async ({ context }) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await context.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
        await wait(50);
      }
      return textResult('done');
    },
  },
  test_logging_tool: {
    run: async ({ context }) => {
      await context.mcpReq.log('info', 'only for those who set a level');
      return textResult('done');
    },
  },
  test_tool_with_progress: {
    run: async ({ context }) => {
      const progressToken = context.mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        const params = { progressToken: progressToken ?? '', progress, total: 100 };
        await context.mcpReq.notify({ method: 'notifications/progress', params });
        await wait(50);
      }
      return textResult(String(progressToken));
    },
  },
  test_streaming_elicitation: { run: () => textResult('nothing is asked') },
  test_trigger_tool_change: {
    run: ({ notices }) => {
      notices.toolsChanged();
      return textResult('told');
    },
  },
  test_trigger_prompt_change: {
    run: ({ notices }) => {
      notices.promptsChanged();
      return textResult('told');
    },
  },
  json_schema_2020_12_tool: {
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: ({ args }) => textResult(JSON.stringify(args)),
  },
};
