import { computed, effect } from '@preact/signals-core';
import { LanguageModelToolResult, lm } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { brokerTools, contextKeys } from '../../ids';
import { setContextKey } from '../interop/contextKeys';
import type { Contribution, Services } from '../interop/contribution';
import { inertLine } from '../interop/text';
import type { BrokerToolName } from './runBrokerTool';

/** What the chat shows while one works. */
const messages: Readonly<Record<BrokerToolName, (input: unknown) => string>> = {
  [brokerTools.search]: () => 'Searching the tools of your MCP servers',
  [brokerTools.describe]: (input) => `Reading about ${nameIn(input, 'name')}`,
  [brokerTools.call]: (input) => `Calling ${nameIn(input, 'name')}`,
  [brokerTools.read]: (input) => `Reading ${nameIn(input, 'uri')}`,
};

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
  for (const name of Object.values(brokerTools)) {
    store.add(
      lm.registerTool<unknown>(name, {
        // No confirmation here: the editor's "always allow" for the broker must not count for another server's tool.
        prepareInvocation: ({ input }) => ({ invocationMessage: messages[name](input) }),
        invoke: async ({ input }, token) => {
          const { runBrokerTool } = await import('./runBrokerTool');
          return new LanguageModelToolResult(await runBrokerTool(hub, name, input, token));
        },
      }),
    );
  }
  return store;
}

function nameIn(input: unknown, key: string): string {
  const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[key] : undefined;
  return typeof value === 'string' ? inertLine(value, 80) : 'a tool';
}
