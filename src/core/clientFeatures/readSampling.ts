import type {
  CreateMessageRequestParams,
  ModelPreferences,
  SamplingMessage,
  SamplingMessageContentBlock,
  StandardSchemaV1,
  Tool,
} from '@modelcontextprotocol/client';
import { isObject, type JsonObject } from '../../base/jsonObject';
import { toolProblem } from './samplingMessages';

type Block = SamplingMessageContentBlock;

/** What cannot be sent to a model; becomes an answer of -32602. */
class Unreadable extends Error {}

/**
 * Reads the params of `sampling/createMessage`. What a model would be given is whole or refused. What only advises
 * (preferences, temperature) is left out where it is odd; `metadata` always, being for one provider, and `includeContext`,
 * which was not declared. Contents become lists.
 */
export function readSampling(value: unknown): StandardSchemaV1.Result<CreateMessageRequestParams> {
  try {
    return { value: readParams(isObject(value) ? value : {}) };
  } catch (error) {
    if (error instanceof Unreadable) {
      return { issues: [{ message: error.message }] };
    }
    throw error;
  }
}

function readParams(given: JsonObject): CreateMessageRequestParams {
  const { maxTokens, systemPrompt, temperature, stopSequences } = given;
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens) || maxTokens < 1) {
    throw new Unreadable(`maxTokens must be a whole number above 0, not ${JSON.stringify(maxTokens)}`);
  }
  const messages = listOf(given['messages'], 'messages').map(readMessage);
  if (messages.length === 0) {
    throw new Unreadable('messages is empty');
  }
  const problem = toolProblem(messages);
  if (problem !== undefined) {
    throw new Unreadable(problem);
  }
  const tools = given['tools'] === undefined ? [] : listOf(given['tools'], 'tools').map(readTool);
  const stops = Array.isArray(stopSequences)
    ? stopSequences.filter((one) => typeof one === 'string' && one !== '')
    : [];
  return {
    messages,
    maxTokens,
    modelPreferences: readPreferences(given['modelPreferences']),
    ...(typeof systemPrompt === 'string' && systemPrompt !== '' ? { systemPrompt } : {}),
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(stops.length > 0 ? { stopSequences: stops } : {}),
    ...(tools.length > 0 ? { tools, toolChoice: readToolChoice(given['toolChoice']) } : {}),
  };
}

function readMessage(message: unknown): SamplingMessage {
  const { role, content } = isObject(message) ? message : {};
  if (role !== 'user' && role !== 'assistant') {
    throw new Unreadable(`the role ${JSON.stringify(role)} of a message is neither "user" nor "assistant"`);
  }
  return { role, content: (Array.isArray(content) ? content : [content]).map(readBlock) };
}

function readBlock(block: unknown): Block {
  if (typeof block === 'string') {
    return { type: 'text', text: block };
  }
  const { type, text, data, mimeType, id, name, input, toolUseId, content = [] } = isObject(block) ? block : {};
  const readable =
    type === 'text'
      ? typeof text === 'string'
      : type === 'image' || type === 'audio'
        ? typeof data === 'string' && typeof mimeType === 'string'
        : type === 'tool_use'
          ? typeof id === 'string' && typeof name === 'string' && isObject(input)
          : type === 'tool_result' && typeof toolUseId === 'string' && Array.isArray(content);
  if (!readable) {
    throw new Unreadable(`a content of the type ${JSON.stringify(type)} cannot be read`);
  }
  return type === 'tool_result' ? ({ ...(block as Block), content } as Block) : (block as Block);
}

function readTool(tool: unknown): Tool {
  const { name, inputSchema = { type: 'object' } } = isObject(tool) ? tool : {};
  if (typeof name !== 'string' || name === '' || !isObject(inputSchema)) {
    throw new Unreadable('a tool needs a name and an object as inputSchema');
  }
  return { ...(tool as Tool), inputSchema: inputSchema as Tool['inputSchema'] };
}

function readToolChoice(choice: unknown): NonNullable<CreateMessageRequestParams['toolChoice']> {
  const mode = isObject(choice) ? choice['mode'] : undefined;
  return { mode: mode === 'required' || mode === 'none' ? mode : 'auto' };
}

function readPreferences(preferences: unknown): ModelPreferences {
  const given = isObject(preferences) ? preferences : {};
  const hints: readonly unknown[] = Array.isArray(given['hints']) ? given['hints'] : [];
  const priority = (name: string): number => {
    const value = given[name];
    return typeof value === 'number' ? Math.min(Math.max(value, 0), 1) : 0;
  };
  return {
    hints: hints.flatMap((hint) => {
      const name = isObject(hint) ? hint['name'] : undefined;
      return typeof name === 'string' && name.trim() !== '' ? [{ name }] : [];
    }),
    costPriority: priority('costPriority'),
    speedPriority: priority('speedPriority'),
    intelligencePriority: priority('intelligencePriority'),
  };
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw new Unreadable(`${name} must be a list`);
  }
  return value;
}
