import {
  type Diagnostic,
  type DiagnosticSeverity,
  getLanguageService,
  type Hover,
  type LanguageService,
  type Position,
  type Range,
  type TextDocument,
} from 'vscode-json-languageservice';
import { parseConfigText, valueOf } from '../core/config/configText';
import type { ConfigProblem, ConfigSource, SourceKind } from '../core/config/configTypes';
import { findContainers } from '../core/config/containers';
import { readConfigText, readSettingsValue } from '../core/config/readSource';
import { configSchema } from './configSchema';

/** The package's own constant is not there when Node loads it unbundled, as the tests do. */
const errorSeverity: DiagnosticSeverity = 1;

const services = new Map<SourceKind, LanguageService>();

/** Everything that is wrong with a config file, in the sentences that the tree shows; the schema adds what they leave. */
export async function diagnose(document: TextDocument, source: ConfigSource): Promise<readonly Diagnostic[]> {
  const own = problemsOf(document.getText(), source).map((problem): Diagnostic => {
    const { offset, length } = problem.place ?? { offset: 0, length: 0 };
    return {
      severity: errorSeverity,
      range: { start: document.positionAt(offset), end: document.positionAt(offset + Math.max(length, 1)) },
      message: problem.message,
      code: problem.code,
      source: 'Portico',
    };
  });
  const service = serviceFor(source.kind);
  // What the parser says is told above, and in a settings file it is the editor's to tell.
  const parsed = service.newJSONDocument(service.parseJSONDocument(document).root, []);
  const settings = { trailingCommas: 'ignore', comments: 'ignore' } as const;
  const found = await service.doValidation(document, parsed, settings, configSchema(source.kind));
  const rest = found.filter(({ range }) => !own.some((other) => isOnLineOf(range, other.range)));
  return [...own, ...rest.map((diagnostic) => ({ ...diagnostic, source: 'Portico' }))];
}

export async function hover(document: TextDocument, source: ConfigSource, at: Position): Promise<Hover | null> {
  const service = serviceFor(source.kind);
  return service.doHover(document, at, service.parseJSONDocument(document));
}

function problemsOf(text: string, source: ConfigSource): readonly ConfigProblem[] {
  if (source.kind !== 'settings') {
    return text.trim() === '' ? [] : readConfigText(text, source).problems;
  }
  const { root } = parseConfigText(text);
  return findContainers(root, 'settings').containers.flatMap(
    ({ node }) => readSettingsValue(valueOf(node), source, text).problems,
  );
}

function serviceFor(kind: SourceKind): LanguageService {
  const known = services.get(kind);
  if (known !== undefined) {
    return known;
  }
  // Without a request service nothing is ever fetched, whatever `$schema` a file names.
  const service = getLanguageService({});
  service.configure({
    validate: true,
    allowComments: true,
    schemas: [{ uri: `portico://schemas/${kind}`, fileMatch: ['*'], schema: configSchema(kind) }],
  });
  services.set(kind, service);
  return service;
}

/** One fault is told once: where the config reader has a sentence, the schema's is left out. */
function isOnLineOf(a: Range, b: Range): boolean {
  return a.start.line <= b.end.line && b.start.line <= a.end.line;
}
