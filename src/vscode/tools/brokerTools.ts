import { computed, effect } from '@preact/signals-core';
import { type CancellationToken, LanguageModelTextPart, LanguageModelToolResult, lm } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { PorticoError, toProblem } from '../../base/errors';
import type { Caller } from '../../core/policy/policyTypes';
import { brokerTools, contextKeys } from '../../ids';
import { toSignal } from '../interop/cancellation';
import { type ContentPart, resourceParts, toContentParts } from '../interop/contentParts';
import { setContextKey } from '../interop/contextKeys';
import type { Contribution, Services } from '../interop/contribution';
import { numberInput, objectInput, textInput } from '../interop/inputs';
import { inertLine } from '../interop/text';
import { describeTool, needServer, needTool, searchTools } from '../interop/toolSearch';

interface BrokerTool {
  /** What the chat shows while it works. */
  message(input: unknown): string;
  run(input: unknown, signal: AbortSignal): Promise<ContentPart[]>;
}

const caller: Caller = { kind: 'broker', label: 'chat (broker)' };

/** Four fixed tools by which the editor's chat reaches every tool and resource when servers are not published one by one. */
export const brokerContribution: Contribution = { name: 'broker tools', register: registerBrokerTools };

function registerBrokerTools({ hub, settings }: Services): Disposable {
  const store = new DisposableStore();
  const offered = computed(
    () =>
      settings.brokerTools.value === 'on' ||
      (settings.brokerTools.value === 'auto' && settings.chatPublish.value === 'off'),
  );
  store.defer(effect(() => void setContextKey(contextKeys.brokerTools, offered.value)));

  const tools: Readonly<Record<(typeof brokerTools)[keyof typeof brokerTools], BrokerTool>> = {
    [brokerTools.search]: {
      message: () => 'Searching the tools of your MCP servers',
      run: async (input) => text(await searchTools(hub, textInput(input, 'query'), numberInput(input, 'limit'))),
    },
    [brokerTools.describe]: {
      message: (input) => `Reading about ${nameIn(input, 'name')}`,
      run: async (input) => text(describeTool(hub, textInput(input, 'name'))),
    },
    [brokerTools.call]: {
      message: (input) => `Calling ${nameIn(input, 'name')}`,
      run: async (input, signal) => {
        const tool = needTool(hub, textInput(input, 'name'));
        return toContentParts(
          hub,
          await hub.callTool(tool.ref, objectInput(input, 'arguments'), {
            caller,
            interactive: true,
            signal,
          }),
        );
      },
    },
    [brokerTools.read]: {
      message: (input) => `Reading ${nameIn(input, 'uri')}`,
      run: async (input, signal) => {
        const server = needServer(hub, textInput(input, 'server'));
        return resourceParts(
          hub,
          await hub.readResource(server, textInput(input, 'uri'), { interactive: true, signal }),
        );
      },
    },
  };
  for (const [name, tool] of Object.entries(tools)) {
    store.add(
      lm.registerTool<unknown>(name, {
        // No confirmation here: the editor's "always allow" for the broker must not count for another server's tool.
        prepareInvocation: ({ input }) => ({ invocationMessage: tool.message(input) }),
        invoke: async ({ input }, token) => new LanguageModelToolResult(await answer(hub.ready, tool, input, token)),
      }),
    );
  }
  return store;
}

/** A failure is an answer too: the model can do something about it, an exception would end its turn. */
async function answer(
  ready: Promise<void>,
  tool: BrokerTool,
  input: unknown,
  token: CancellationToken,
): Promise<ContentPart[]> {
  const { signal, dispose } = toSignal(token);
  try {
    await ready;
    return await tool.run(input, signal);
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

function text(value: string): ContentPart[] {
  return [new LanguageModelTextPart(value)];
}

function nameIn(input: unknown, key: string): string {
  const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[key] : undefined;
  return typeof value === 'string' ? inertLine(value, 80) : 'a tool';
}
