import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Disposable } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import { uriKey } from '../addresses';
import { decoded } from '../addressText';
import { fuzzyComplete } from '../completions';
import type { EditorParts } from '../editorParts';
import type { DiagnosticSeverity } from '../editorTypes';
import type { CompletionValues, OfferContext, ResourceKind } from '../offerTypes';
import { jsonResource } from '../jsonResource';
import type { WorkspaceFile } from '../workspaceTypes';
import { knownDiagnostics, severities } from './diagnosticItems';
import type { DiagnosticsQuery } from './diagnosticsReader';
import { withLines } from './diagnosticsTool';
import { DiagnosticsWatches } from './diagnosticsWatches';

const workspaceUri = 'diagnostics://workspace';
const maxItems = 150;
const timeoutMs = 5_000;

type Scope = DiagnosticsQuery['scope'];

/** Diagnostics of the workspace, a file, a folder, or of one severity, as JSON. */
export class DiagnosticsKind implements ResourceKind {
  private readonly watches: DiagnosticsWatches;

  constructor(private readonly parts: EditorParts) {
    this.watches = new DiagnosticsWatches(parts.ports, parts.files);
  }

  curated(): readonly Resource[] {
    return [
      {
        uri: workspaceUri,
        name: 'workspace-diagnostics',
        title: 'Problems of the workspace',
        description: 'Errors and warnings that the editor knows now, with the state of each file.',
        mimeType: 'application/json',
      },
    ];
  }

  templates(): readonly ResourceTemplateType[] {
    const template = (path: string, name: string, title: string, description: string): ResourceTemplateType => ({
      uriTemplate: `diagnostics://${path}`,
      name,
      title,
      description,
      mimeType: 'application/json',
    });
    return [
      template('file/{+path}', 'file-diagnostics', 'Problems of a file', 'Waits until its analysis is over.'),
      template('folder/{+path}', 'folder-diagnostics', 'Problems below a folder', 'As far as they are known.'),
      template('severity/{severity}', 'severity-diagnostics', 'Problems of a severity', severities.join(', ')),
    ];
  }

  owns(uri: string): boolean {
    return /^diagnostics:\/\//i.test(uri);
  }

  async read(uri: string, { signal }: OfferContext): Promise<ReadResourceResult> {
    const { scope, severities: chosen } = await this.meaningOf(uri);
    const report = await this.parts.diagnostics.report({
      scope,
      severities: chosen,
      order: 'severity',
      load: 0,
      timeoutMs,
      signal,
    });
    const { items, ...rest } = report;
    const listed = await withLines(items.slice(0, maxItems), this.parts);
    return jsonResource(uri, {
      ...rest,
      total: items.length,
      ...(items.length > maxItems ? { more: 'get_diagnostics gives the rest, page by page.' } : {}),
      items: listed,
    });
  }

  async complete(template: string, variable: string, value: string): Promise<CompletionValues | undefined> {
    if (variable === 'severity') {
      return fuzzyComplete(value, severities);
    }
    return variable === 'path'
      ? this.parts.files.complete(value, template.includes('folder') ? 'directory' : 'file')
      : undefined;
  }

  async watch(uri: string, changed: () => void): Promise<Disposable> {
    const { scope } = await this.meaningOf(uri);
    return this.watches.add(scope, changed);
  }

  /** What is known now, without a wait: an update is told as soon as an extension reports. */
  async fingerprint(uri: string): Promise<string> {
    const { scope, severities: chosen } = await this.meaningOf(uri);
    const concerns = this.concerning(scope);
    const known = knownDiagnostics(this.parts.ports, this.parts.files).filter(({ file }) => concerns(file.uri));
    return JSON.stringify(
      known.map(({ file, items }) => {
        const document = this.parts.files.documentOf(file);
        // The text belongs to it: the same problems of another text are another answer.
        return [document?.version, document?.isDirty, items.filter(({ severity }) => chosen.includes(severity))];
      }),
    );
  }

  private concerning(scope: Scope): (uri: string) => boolean {
    const { files } = this.parts;
    switch (scope.kind) {
      case 'workspace':
        return (uri) => files.ofUri(uri) !== undefined;
      case 'directory':
        return (uri) => {
          const file = files.ofUri(uri);
          return file !== undefined && files.isBelow(file, scope.directory);
        };
      case 'files': {
        const keys = new Set(scope.files.map((file) => uriKey(file.uri, files.platform)));
        return (uri) => keys.has(uriKey(uri, files.platform));
      }
    }
  }

  private async meaningOf(
    uri: string,
  ): Promise<{ readonly scope: Scope; readonly severities: readonly DiagnosticSeverity[] }> {
    const [, what = '', rest = ''] = /^diagnostics:\/\/([a-z]+)(?:\/(.*))?$/is.exec(uri) ?? [];
    const serious: readonly DiagnosticSeverity[] = ['error', 'warning'];
    switch (what.toLowerCase()) {
      case 'workspace':
        if (rest === '') {
          return { scope: { kind: 'workspace' }, severities: serious };
        }
        break;
      case 'file':
        return { scope: { kind: 'files', files: [await this.file(rest)] }, severities: serious };
      case 'folder':
        return {
          scope: { kind: 'directory', directory: await this.parts.files.findDirectory(decoded(rest)) },
          severities: serious,
        };
      case 'severity': {
        const chosen = severities.find((severity) => severity === rest.toLowerCase());
        if (chosen !== undefined) {
          return { scope: { kind: 'workspace' }, severities: [chosen] };
        }
      }
    }
    throw new PorticoError(
      'RESOURCE_UNKNOWN',
      `There is no resource ${JSON.stringify(uri.slice(0, 200))}. Use ${workspaceUri}, diagnostics://file/<path>, diagnostics://folder/<path> or diagnostics://severity/<${severities.join('|')}>.`,
    );
  }

  private file(rest: string): Promise<WorkspaceFile> {
    return this.parts.files.find(decoded(rest));
  }
}
