import { CodeLens, type CodeLensProvider, EventEmitter, Range, type TextDocument } from 'vscode';
import type { Disposable } from '../../base/disposable';
import { commands } from '../../ids';
import { type ResourceAddress, toResourceAddress } from '../interop/resourceAddress';
import { plainLine } from '../interop/text';
import type { ServerState } from './resourceText';

/** The next steps above the text that stands in for a resource. */
export class ReasonLenses implements CodeLensProvider, Disposable {
  private readonly changes = new EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changes.event;

  constructor(
    /** The state of the server of a document that shows a reason; nothing for all others. */
    private readonly stateOf: (address: ResourceAddress) => ServerState | undefined,
  ) {}

  refresh(): void {
    this.changes.fire();
  }

  provideCodeLenses({ uri }: TextDocument): CodeLens[] {
    const address = toResourceAddress(uri);
    const state = address && this.stateOf(address);
    if (!address || state === undefined) {
      return [];
    }
    const name = plainLine(address.server, 60);
    const lens = (title: string, command: string, ...args: readonly unknown[]): CodeLens =>
      new CodeLens(new Range(0, 0, 0, 0), { title, command, arguments: [...args] });
    switch (state) {
      case 'restricted':
        return [lens('Manage Workspace Trust', 'workbench.trust.manage')];
      case 'off':
        return [lens(`Turn On ${name}`, commands.turnOn, address.server)];
      case 'ready':
      case 'unknown':
      case 'self':
        return [lens('Try Again', commands.reloadResource, uri)];
      default:
        return [lens(`Start ${name}`, commands.startServer, address.server)];
    }
  }

  dispose(): void {
    this.changes.dispose();
  }
}
