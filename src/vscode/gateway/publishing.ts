import type { ServerView } from '../../core/hubTypes';

export interface PublishingChoice {
  readonly publish: 'perServer' | 'off';
  /** The editor's `chat.mcp.collisionBehavior` keeps both of two servers with one label instead of the first. */
  readonly keepsBothOfOneLabel: boolean;
}

/**
 * The servers that get a definition in the editor's chat: those that Portico runs and may start. What is not approved
 * stays away, as its definition could only fail. Tracks the signals that it reads.
 */
export function publishedServers(all: readonly ServerView[], choice: PublishingChoice): readonly ServerView[] {
  if (choice.publish === 'off') {
    return [];
  }
  const editorLabels = new Set(
    all
      .filter(({ definition }) => definition.owner === 'editor' && !definition.disabled)
      .map(({ definition }) => definition.key.toLowerCase()),
  );
  return all.filter(({ definition, status }) => {
    const twin = choice.keepsBothOfOneLabel && editorLabels.has(definition.key.toLowerCase());
    return definition.owner === 'portico' && isAllowed(status.value.kind) && !twin;
  });
}

function isAllowed(kind: ServerView['status']['value']['kind']): boolean {
  return kind !== 'off' && kind !== 'self' && kind !== 'restricted' && kind !== 'notApproved' && kind !== 'editor';
}
