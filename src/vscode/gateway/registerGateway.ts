import { computed, signal } from '@preact/signals-core';
import { workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ServerView } from '../../core/hubTypes';
import { trustName } from '../interop/trustName';
import type { Contribution, Services } from '../interop/contribution';
import { registerDefinitions } from './definitionProvider';
import type { GatewayService } from './gatewayService';
import { publishedServers } from './publishing';

const collisionSetting = 'chat.mcp.collisionBehavior';

/** Portico's servers in the editor's chat. */
export const gatewayContribution: Contribution = { name: 'gateway', register: registerGateway };

export function registerGateway({
  hub,
  logs,
  settings,
  listening,
}: Pick<Services, 'hub' | 'logs' | 'settings' | 'listening'>): Disposable {
  const store = new DisposableStore();
  const keepsBoth = (): boolean => workspace.getConfiguration().get<unknown>(collisionSetting) === 'suffix';
  const keepsBothOfOneLabel = signal(keepsBoth());
  store.add(
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(collisionSetting)) {
        keepsBothOfOneLabel.value = keepsBoth();
      }
    }),
  );
  const published = computed(() =>
    publishedServers(hub.servers.value, {
      publish: settings.chatPublish.value,
      keepsBothOfOneLabel: keepsBothOfOneLabel.value,
    }),
  );
  const isTrusted = ({ definition }: ServerView): boolean =>
    settings.trustedServers.value.includes(trustName(definition));
  const load = async (): Promise<GatewayService> => {
    const { GatewayService: Service } = await import('./gatewayService');
    const isPublished = (view: ServerView): boolean => published.value.includes(view);
    return store.add(new Service(await listening(), { hub, log: logs.own, isTrusted, isPublished }));
  };
  store.add(registerDefinitions(hub, load, () => published.value, isTrusted));
  return store;
}
