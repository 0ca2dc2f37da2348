import type {
  CreateMessageRequestParams,
  SamplingMessage,
  SamplingMessageContentBlock,
  Tool,
} from '@modelcontextprotocol/client';
import {
  CancellationTokenSource,
  type ExtensionContext,
  type LanguageModelChat,
  LanguageModelChatMessage,
  LanguageModelChatMessageRole,
  type LanguageModelChatRequestOptions,
  type LanguageModelChatTool,
  LanguageModelChatToolMode,
  LanguageModelDataPart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  lm,
} from 'vscode';
import { PorticoError } from '../../base/errors';
import { isObject } from '../../base/jsonObject';
import type { ModelBackend, SamplingModel, SendOptions } from '../../core/clientFeatures/samplingTypes';
import { blocksOf } from '../../core/clientFeatures/samplingMessages';
import type { Hub } from '../../core/hubTypes';
import { toContentParts } from '../interop/contentParts';
import { toolNames } from './toolNames';

type Block = SamplingMessageContentBlock;

/**
 * The editor's language models. Its API has no system role (the system prompt is the first message), no limit of tokens
 * and no stop reason; names of tools are given as it takes them.
 */
export class EditorModels implements ModelBackend {
  private readonly chats = new WeakMap<SamplingModel, LanguageModelChat>();

  constructor(
    private readonly context: Pick<ExtensionContext, 'languageModelAccessInformation'>,
    private readonly hub: Pick<Hub, 'catalog' | 'modelParts'>,
  ) {}

  async models(): Promise<readonly SamplingModel[]> {
    return (await lm.selectChatModels()).map((chat) => {
      const { id, name, vendor, family, maxInputTokens } = chat;
      const model = { id, name, vendor, family, maxInputTokens };
      this.chats.set(model, chat);
      return model;
    });
  }

  async countTokens(model: SamplingModel, what: string | CreateMessageRequestParams): Promise<number> {
    const chat = this.chatOf(model);
    if (typeof what === 'string') {
      return chat.countTokens(what);
    }
    const { messages, options } = await this.request(what);
    const tools = options.tools ? [JSON.stringify(options.tools)] : [];
    const counts = await Promise.all([...messages, ...tools].map((one) => chat.countTokens(one)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async *send(
    model: SamplingModel,
    params: CreateMessageRequestParams,
    { signal, interactive }: SendOptions,
  ): AsyncIterable<Block> {
    const chat = this.chatOf(model);
    if (!interactive && this.context.languageModelAccessInformation.canSendRequest(chat) !== true) {
      throw new Error(
        'VS Code asks first whether Portico may use it, and that needs a person who waits for the answer.',
      );
    }
    const { messages, options, names } = await this.request(params);
    const source = new CancellationTokenSource();
    const stop = (): void => source.cancel();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const response = await chat.sendRequest(messages, options, source.token);
      for await (const part of response.stream) {
        const block = toBlock(part, names);
        if (block) {
          yield block;
        }
      }
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
      source.dispose();
    }
  }

  private chatOf(model: SamplingModel): LanguageModelChat {
    const chat = this.chats.get(model);
    if (!chat) {
      throw new PorticoError('NO_MODEL', `The language model ${model.name} is not there any more.`);
    }
    return chat;
  }

  private async request(params: CreateMessageRequestParams): Promise<ModelRequest> {
    const { systemPrompt, messages, tools = [], toolChoice, maxTokens, temperature, stopSequences } = params;
    const used = messages.flatMap((message) =>
      blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [block.name] : [])),
    );
    const names = toolNames([...tools.map(({ name }) => name), ...used]);
    // Without tools none can be used.
    const offered = toolChoice?.mode === 'none' ? [] : await Promise.all(tools.map((tool) => this.toTool(tool, names)));
    return {
      messages: [
        ...(systemPrompt === undefined ? [] : [LanguageModelChatMessage.User(systemPrompt)]),
        ...(await Promise.all(messages.map((message) => this.toMessage(message, names)))),
      ],
      options: {
        justification: 'To answer a server that asks for a language model',
        // Providers that know these keep them; the two that have to be kept are kept by whoever reads the answer.
        modelOptions: {
          max_tokens: maxTokens,
          ...(temperature === undefined ? {} : { temperature }),
          ...(stopSequences ? { stop: stopSequences } : {}),
        },
        ...(offered.length > 0 ? { tools: offered } : {}),
        ...(offered.length > 0 && toolChoice?.mode === 'required'
          ? { toolMode: LanguageModelChatToolMode.Required }
          : {}),
      },
      names: new Map([...names].map(([name, given]) => [given, name])),
    };
  }

  private async toTool(tool: Tool, names: ReadonlyMap<string, string>): Promise<LanguageModelChatTool> {
    const adapted = await this.hub.catalog.modelSchemaOf({ tool });
    if (adapted.problem) {
      const reason = `The tool "${tool.name}" of the request cannot be used: ${adapted.problem.message}`;
      throw new PorticoError('TOOL_UNUSABLE', reason);
    }
    const description = [tool.description ?? tool.title ?? tool.name, adapted.notes].filter(Boolean).join('\n');
    return { name: names.get(tool.name) ?? tool.name, description, inputSchema: adapted.schema };
  }

  private async toMessage(
    message: SamplingMessage,
    names: ReadonlyMap<string, string>,
  ): Promise<LanguageModelChatMessage> {
    const { User, Assistant } = LanguageModelChatMessageRole;
    const parts = (await Promise.all(blocksOf(message).map((block) => this.toParts(block, names)))).flat();
    return new LanguageModelChatMessage(message.role === 'user' ? User : Assistant, parts);
  }

  private async toParts(
    block: Block,
    names: ReadonlyMap<string, string>,
  ): Promise<LanguageModelChatMessage['content']> {
    switch (block.type) {
      case 'tool_use':
        return [new LanguageModelToolCallPart(block.id, names.get(block.name) ?? block.name, block.input)];
      case 'tool_result': {
        const { toolUseId, type: _, ...result } = block;
        return [new LanguageModelToolResultPart(toolUseId, await toContentParts(this.hub, result))];
      }
      default:
        return toContentParts(this.hub, { content: [block] });
    }
  }
}

interface ModelRequest {
  readonly messages: LanguageModelChatMessage[];
  readonly options: LanguageModelChatRequestOptions;
  /** Names of tools as the server has them, by those that the model was given. */
  readonly names: ReadonlyMap<string, string>;
}

/** A part of an answer; nothing for what servers have no form for. */
function toBlock(part: unknown, names: ReadonlyMap<string, string>): Block | undefined {
  if (part instanceof LanguageModelTextPart) {
    return { type: 'text', text: part.value };
  }
  if (part instanceof LanguageModelToolCallPart) {
    const input = isObject(part.input) ? { ...part.input } : {};
    return { type: 'tool_use', id: part.callId, name: names.get(part.name) ?? part.name, input };
  }
  const type = part instanceof LanguageModelDataPart ? /^(image|audio)\//.exec(part.mimeType)?.[1] : undefined;
  if (part instanceof LanguageModelDataPart && (type === 'image' || type === 'audio')) {
    return { type, mimeType: part.mimeType, data: Buffer.from(part.data).toString('base64') };
  }
  return undefined;
}
