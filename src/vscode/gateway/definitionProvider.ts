import { effect } from '@preact/signals-core';
import { EventEmitter, lm, McpHttpServerDefinition, type McpServerDefinitionProvider, Uri } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Hub, ServerView } from '../../core/hubTypes';
import { definitionProviderId } from '../../ids';
import { DefinitionVersions } from './definitionVersion';
import type { GatewayService } from './gatewayService';

/**
 * One definition per published server for the editor's chat: its label is the server's key, nothing is started by it.
 * `load` is called once, when the editor first asks.
 */
export function registerDefinitions(
  hub: Hub,
  load: () => Promise<GatewayService>,
  published: () => readonly ServerView[],
  isTrusted: (view: ServerView) => boolean,
): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  let loading: Promise<GatewayService> | undefined;
  let loaded: GatewayService | undefined;
  const gateway = (): Promise<GatewayService> =>
    (loading ??= load().then((service) => {
      loaded = service;
      return service;
    }));
  const versions = new DefinitionVersions((id) => loaded?.hasSession(id) ?? false);
  const given = new WeakMap<McpHttpServerDefinition, string>();

  let announced = '';
  store.defer(
    effect(() => {
      const next = JSON.stringify(
        published().map((view) => [view.id, view.definition.key, versions.of(view, isTrusted(view))]),
      );
      if (next !== announced) {
        announced = next;
        changed.fire();
      }
    }),
  );

  const provider: McpServerDefinitionProvider<McpHttpServerDefinition> = {
    onDidChangeMcpServerDefinitions: changed.event,

    async provideMcpServerDefinitions() {
      await hub.ready;
      const service = await gateway();
      return Promise.all(
        published().map(async (view) => {
          const uri = Uri.from(await service.plannedUri(view.id));
          const version = versions.of(view, isTrusted(view));
          const definition = new McpHttpServerDefinition(view.definition.key, uri, {}, version);
          given.set(definition, view.id);
          return definition;
        }),
      );
    },

    // The editor keeps what it was given for the next start, so the token comes only now.
    async resolveMcpServerDefinition(definition) {
      const id = given.get(definition);
      if (id === undefined) {
        return undefined;
      }
      const reach = await (await gateway()).reach(id);
      definition.uri = Uri.from(reach.uri);
      definition.headers = { ...reach.headers };
      return definition;
    },
  };
  store.add(lm.registerMcpServerDefinitionProvider(definitionProviderId, provider));
  return store;
}
