import { type CancellationToken, LanguageModelTextPart } from 'vscode';
import { PorticoError, toProblem } from '../../base/errors';
import type { Hub } from '../../core/hubTypes';
import type { Caller } from '../../core/policy/policyTypes';
import { brokerTools } from '../../ids';
import { toSignal } from '../interop/cancellation';
import { type ContentPart, resourceParts, toContentParts } from '../interop/contentParts';
import { numberInput, objectInput, textInput } from '../interop/inputs';
import { describeTool, needServer, needTool, searchTools } from '../interop/toolSearch';

export type BrokerToolName = (typeof brokerTools)[keyof typeof brokerTools];

const caller: Caller = { kind: 'broker', label: 'chat (broker)' };

/** Runs one. A failure is an answer too: the model can do something about it, an exception would end its turn. */
export async function runBrokerTool(
  hub: Hub,
  name: BrokerToolName,
  input: unknown,
  token: CancellationToken,
): Promise<ContentPart[]> {
  const { signal, dispose } = toSignal(token);
  try {
    await hub.ready;
    return await run(hub, name, input, signal);
  } catch (error) {
    if (PorticoError.is(error, 'CANCELLED')) {
      throw error;
    }
    const { code, message } = toProblem(error);
    return text(`Error ${code}: ${message}`);
  } finally {
    dispose();
  }
}

async function run(hub: Hub, name: BrokerToolName, input: unknown, signal: AbortSignal): Promise<ContentPart[]> {
  switch (name) {
    case brokerTools.search:
      return text(await searchTools(hub, textInput(input, 'query'), numberInput(input, 'limit')));
    case brokerTools.describe:
      return text(describeTool(hub, textInput(input, 'name')));
    case brokerTools.call: {
      const { ref } = needTool(hub, textInput(input, 'name'));
      const args = objectInput(input, 'arguments');
      return toContentParts(hub, await hub.callTool(ref, args, { caller, interactive: true, signal }));
    }
    case brokerTools.read: {
      const server = needServer(hub, textInput(input, 'server'));
      return resourceParts(hub, await hub.readResource(server, textInput(input, 'uri'), { interactive: true, signal }));
    }
  }
}

function text(value: string): ContentPart[] {
  return [new LanguageModelTextPart(value)];
}
