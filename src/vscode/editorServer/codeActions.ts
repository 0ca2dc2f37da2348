import { type CodeAction, type Command, commands, workspace } from 'vscode';
import { PorticoError } from '../../base/errors';
import type { CodeActionInfo } from '../../server/editor/editorTypes';
import { fromEdit } from './conversions';

const maxDocuments = 50;

/** The code actions that were offered last for each document, so that one of them can be applied by its id. */
export class CodeActions {
  private readonly kept = new Map<string, ReadonlyMap<string, CodeAction | Command>>();
  private count = 0;

  keep(uri: string, found: readonly (CodeAction | Command)[]): readonly CodeActionInfo[] {
    const byId = new Map(found.map((action) => [`action-${++this.count}`, action]));
    this.kept.delete(uri);
    this.kept.set(uri, byId);
    const oldest = this.kept.keys().next().value;
    if (this.kept.size > maxDocuments && oldest !== undefined) {
      this.kept.delete(oldest);
    }
    return [...byId].map(([id, action]) => describe(id, action));
  }

  /** `false` where the editor refused its edit. Rejects with ARGUMENTS_INVALID. */
  async apply(id: string): Promise<boolean> {
    const action = [...this.kept.values()].map((byId) => byId.get(id)).find((found) => found !== undefined);
    if (action === undefined) {
      throw new PorticoError(
        'ARGUMENTS_INVALID',
        `There is no code action ${id} any more. Ask for code actions again.`,
      );
    }
    if (isCommand(action)) {
      await commands.executeCommand(action.command, ...((action.arguments ?? []) as unknown[]));
      return true;
    }
    if (action.edit && !(await workspace.applyEdit(action.edit))) {
      return false;
    }
    if (action.command) {
      await commands.executeCommand(action.command.command, ...((action.command.arguments ?? []) as unknown[]));
    }
    return true;
  }
}

function isCommand(action: CodeAction | Command): action is Command {
  return typeof action.command === 'string';
}

function describe(id: string, action: CodeAction | Command): CodeActionInfo {
  if (isCommand(action)) {
    return { id, title: action.title, kind: undefined, isPreferred: false, disabled: undefined, edit: undefined };
  }
  return {
    id,
    title: action.title,
    kind: action.kind?.value,
    isPreferred: action.isPreferred ?? false,
    disabled: action.disabled?.reason,
    edit: action.edit && action.command === undefined ? fromEdit(action.edit) : undefined,
  };
}
