import { type Diagnostic, DiagnosticSeverity, DiagnosticTag, languages, Uri } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type {
  DiagnosticsPort,
  EditorDiagnostic,
  DiagnosticSeverity as SeverityName,
} from '../../server/editor/editorTypes';
import { fromLocation, fromRange } from './conversions';

const severities: Readonly<Record<DiagnosticSeverity, SeverityName>> = {
  [DiagnosticSeverity.Error]: 'error',
  [DiagnosticSeverity.Warning]: 'warning',
  [DiagnosticSeverity.Information]: 'information',
  [DiagnosticSeverity.Hint]: 'hint',
};

/** What the language extensions have published. */
export class EditorDiagnostics implements DiagnosticsPort, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<readonly string[]>());
  readonly onDidChange = this.changed.event;

  constructor() {
    this.store.add(
      languages.onDidChangeDiagnostics(({ uris }) => this.changed.fire(uris.map((uri) => uri.toString()))),
    );
  }

  all(): readonly (readonly [string, readonly EditorDiagnostic[]])[] {
    return languages.getDiagnostics().map(([uri, found]) => [uri.toString(), found.map(read)]);
  }

  of(uri: string): readonly EditorDiagnostic[] {
    return languages.getDiagnostics(Uri.parse(uri, true)).map(read);
  }

  dispose(): void {
    this.store.dispose();
  }
}

function read(diagnostic: Diagnostic): EditorDiagnostic {
  const { code } = diagnostic;
  const linked = typeof code === 'object' ? code : undefined;
  const plain = typeof code === 'object' ? code.value : code;
  return {
    range: fromRange(diagnostic.range),
    severity: severities[diagnostic.severity],
    message: diagnostic.message,
    source: diagnostic.source,
    code: plain === undefined ? undefined : String(plain),
    codeUrl: linked?.target.toString(),
    tags: (diagnostic.tags ?? []).map((tag) => (tag === DiagnosticTag.Unnecessary ? 'unnecessary' : 'deprecated')),
    related: (diagnostic.relatedInformation ?? []).map(({ location, message }) => ({
      ...fromLocation(location),
      message,
    })),
  };
}
