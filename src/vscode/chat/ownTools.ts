import type { LanguageModelChatTool } from 'vscode';
import { brokerTools } from '../../ids';

const text = (description: string) => ({ type: 'string', description });

/** Portico's own tools for the model in `@portico`: to find tools beyond the budget, and to read resources. */
export function ownTools(offer: { readonly search: boolean; readonly read: boolean }): LanguageModelChatTool[] {
  return [...(offer.search ? finding : []), ...(offer.read ? [reading] : [])];
}

const finding: readonly LanguageModelChatTool[] = [
  {
    name: brokerTools.search,
    description:
      'Searches all tools of all MCP servers; there are more than the ones offered directly. Best match first.',
    inputSchema: {
      type: 'object',
      properties: { query: text('What the tool should do, in a few words.'), limit: { type: 'integer' } },
      required: ['query'],
    },
  },
  {
    name: brokerTools.describe,
    description: `Gives the description and the JSON Schema of the arguments of a tool that ${brokerTools.search} found.`,
    inputSchema: { type: 'object', properties: { name: text('The name of the tool.') }, required: ['name'] },
  },
  {
    name: brokerTools.call,
    description: `Calls a tool that ${brokerTools.search} found and that is not offered directly.`,
    inputSchema: {
      type: 'object',
      properties: { name: text('The name of the tool.'), arguments: { type: 'object', properties: {} } },
      required: ['name'],
    },
  },
];

const reading: LanguageModelChatTool = {
  name: brokerTools.read,
  description: 'Reads one resource of an MCP server by its URI.',
  inputSchema: {
    type: 'object',
    properties: { server: text('The name of the server.'), uri: text('The URI exactly as the server gives it.') },
    required: ['server', 'uri'],
  },
};
