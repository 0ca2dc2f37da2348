import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server';
import type { Disposable } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import { quoted } from '../../../base/quoted';
import type { EditorParts } from '../editorParts';
import { jsonResource } from '../jsonResource';
import type { EditorTool, ResourceKind } from '../offerTypes';
import { oneLine } from '../oneLine';
import { answer, defineTool, listOf, objectSchema } from '../toolSchemas';
import { allowedDiff, changedFiles } from './gitChanges';

const uri = 'git://changes';
const maxFiles = 300;
/** Longer diffs are cut, in characters. */
const maxDiff = 20_000;
const text = { type: 'string' } as const;

export class GitKind implements ResourceKind {
  constructor(private readonly parts: EditorParts) {}

  curated(): readonly Resource[] {
    return [
      {
        uri,
        name: 'git-changes',
        title: 'Changed files',
        description: 'Files that are changed in Git and not committed.',
        mimeType: 'application/json',
      },
    ];
  }

  templates(): readonly [] {
    return [];
  }

  owns(other: string): boolean {
    return /^git:\/\//i.test(other);
  }

  async read(asked: string): Promise<ReadResourceResult> {
    this.assertKnown(asked);
    const changes = await changedFiles(this.parts);
    return jsonResource(asked, { total: changes.length, changes: changes.slice(0, maxFiles) });
  }

  async complete(): Promise<undefined> {
    return undefined;
  }

  async watch(asked: string, changed: () => void): Promise<Disposable> {
    this.assertKnown(asked);
    return this.parts.ports.git.onDidChange(changed);
  }

  private assertKnown(asked: string): void {
    if (asked.toLowerCase() !== uri) {
      throw new PorticoError('RESOURCE_UNKNOWN', `There is no resource ${quoted(asked)}. Use ${uri}.`);
    }
  }
}

export function gitChangesTool(parts: EditorParts): EditorTool {
  return defineTool<{ readonly diff?: boolean }>({
    name: 'git_changes',
    title: 'Changes in Git',
    description: 'Files that are changed and not committed, and their unified diff where it is asked for.',
    group: 'read',
    input: { diff: { type: 'boolean', description: 'Whether to give the diff too. Default false.' } },
    output: objectSchema(
      {
        total: { type: 'integer' },
        changes: listOf(
          objectSchema({ file: text, uri: text, status: text, staged: { type: 'boolean' } }, ['file', 'uri', 'status']),
        ),
        diff: text,
        diffCut: { type: 'boolean' },
        leftOut: { type: 'integer', description: 'Parts of the diff that may not be given, or are of a conflict.' },
      },
      ['total', 'changes'],
    ),
    async run({ diff: wantsDiff = false }) {
      const changes = await changedFiles(parts);
      const lines = changes.map(({ file, status, staged }) => `${status}${staged ? ' (staged)' : ''} ${oneLine(file)}`);
      const listed = { total: changes.length, changes: changes.slice(0, maxFiles) };
      const summary = lines.slice(0, maxFiles).join('\n') || 'Nothing is changed.';
      if (!wantsDiff) {
        return answer(listed, summary);
      }
      const { diff, leftOut } = await allowedDiff(parts);
      const cut = diff.length > maxDiff;
      const shown = diff.slice(0, maxDiff);
      return answer(
        { ...listed, diff: shown, leftOut, ...(cut ? { diffCut: true } : {}) },
        `${summary}\n\n${shown}${cut ? '\n(cut; read the files for the rest)' : ''}`,
      );
    },
  });
}
