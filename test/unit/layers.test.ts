import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';

/** An import of a source file: the file, its target as a path below src or a package's name, and how it imports. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly isLocal: boolean;
  readonly kind: 'static' | 'type' | 'dynamic';
}

/** May a file of the folder import the target? Targets are paths below src without suffix, or package names. */
type Rule = (target: string, edge: Edge) => boolean;

const edges = readEdges();
const atActivation = loadedWith('extension');

/** Everyone may import these. */
const common: Rule = (to) =>
  to === 'ids' || within('base')(to) || to === '@preact/signals-core' || to.startsWith('node:') || isContract(to);
const isContract = (to: string): boolean => /^(core|server)\/.*Types$/.test(to);
const within =
  (folder: string) =>
  (to: string): boolean =>
    to === folder || to.startsWith(`${folder}/`);
const oneOf =
  (...names: string[]) =>
  (to: string): boolean =>
    names.some((name) => to === name || to.startsWith(`${name}/`));
const sdkClient = oneOf('@modelcontextprotocol/client', '@modelcontextprotocol/core');
const sdkServer = oneOf('@modelcontextprotocol/server');
const ajv = oneOf('ajv', 'ajv-formats');
const any =
  (...rules: Rule[]): Rule =>
  (to, edge) =>
    rules.some((rule) => rule(to, edge));
/** Wire types come from the SDK and are never declared again. */
const typeOnly =
  (rule: Rule): Rule =>
  (to, edge) =>
    edge.kind === 'type' && rule(to, edge);
/** What is heavy is loaded on first use: by a dynamic import, or by a file that itself is loaded so. */
const lazy =
  (rule: Rule): Rule =>
  (to, edge) =>
    (edge.kind !== 'static' || !atActivation.has(edge.from)) && rule(to, edge);

/** The table of the design, first match wins. The folder itself is always allowed. */
const table: readonly { readonly folder: string; readonly may: Rule }[] = [
  { folder: 'ids', may: () => false },
  {
    folder: 'base',
    may: any(
      (to) => within('base')(to) || to.startsWith('node:') || to === '@preact/signals-core' || to === 'ids',
      lazy(oneOf('re2js')),
    ),
  },
  { folder: 'core/config', may: any(oneOf('jsonc-parser'), ajv) },
  { folder: 'core/connections', may: any(within('core/config'), sdkClient, oneOf('cross-spawn')) },
  { folder: 'core/catalog', may: typeOnly(sdkClient) },
  { folder: 'core/policy', may: any(typeOnly(sdkClient), ajv) },
  { folder: 'core/clientFeatures', may: any(typeOnly(sdkClient), ajv) },
  { folder: 'core', may: any(within('core'), typeOnly(sdkClient)) },
  { folder: 'server/editor/files', may: any(within('server'), typeOnly(sdkServer), oneOf('ignore', 'picomatch')) },
  { folder: 'server', may: any(sdkServer, ajv) },
  { folder: 'bridge', may: any(within('server/discovery'), sdkServer) },
  {
    folder: 'configServer',
    may: any(
      within('core/config'),
      oneOf(
        'vscode-languageserver',
        'vscode-languageserver-textdocument',
        'vscode-json-languageservice',
        'jsonc-parser',
      ),
    ),
  },
  { folder: 'cli', may: any(within('core/hub'), within('core/config'), oneOf('../package.json')) },
];

/** Surfaces that publish may import the server, lazily; the config surface speaks to its language server. */
const surfaces: Readonly<Record<string, Rule>> = {
  editorServer: lazy(within('server')),
  gateway: lazy(within('server')),
  // It tries what it has written by connecting as the agent will.
  agents: any(lazy(within('server')), lazy(sdkClient), oneOf('smol-toml')),
  // The core's own pieces are behind its ports.
  clientFeatures: within('core/clientFeatures'),
  // The client is CommonJS, whose names only a static import gives: one file has it, which is itself loaded lazily.
  config: any(
    within('configServer'),
    (to, edge) => edge.from.includes('configClient') && oneOf('vscode-languageclient')(to),
  ),
};

describe('layers', () => {
  it('hold the import table', () => {
    assert.ok(edges.length > 0);
    const forbidden = edges
      .filter((edge) => !isAllowed(edge))
      .map(({ from, to, kind }) => `${from} -> ${to} (${kind})`);
    assert.deepEqual(forbidden, []);
  });

  it('have no import cycle, type imports included', () => {
    assert.deepEqual(findCycles(), []);
  });
});

describe('bundles', () => {
  const out = join('.cache', `layers-${process.pid}`);
  after(() => rmSync(out, { recursive: true, force: true }));
  const standalone = [
    'src/cli/main.ts',
    'src/configServer/main.ts',
    'src/bridge/main.ts',
    'src/server/editor/files/worker/main.ts',
  ].filter((path) => existsSync(path));

  for (const entry of standalone) {
    it(`do without the editor: ${entry}`, async () => {
      assert.ok(!(await bundledInputs(entry)).imports.includes('vscode'));
    });
  }

  it('have one copy of the signals library in the extension', async () => {
    const { inputs } = await bundledInputs('src/extension.ts');
    assert.deepEqual(
      new Set(inputs.filter((path) => path.includes('@preact/signals-core')).map((path) => dirname(path))).size,
      1,
    );
    assert.equal(inputs.filter((path) => path.includes('@preact/signals-core')).length, 1);
  });

  /** What the entry's bundle consists of, over all its chunks, and what it still imports. */
  async function bundledInputs(entry: string): Promise<{ inputs: string[]; imports: string[] }> {
    const { metafile } = await build({
      entryPoints: [entry],
      outdir: out,
      write: false,
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      mainFields: ['module', 'main'],
      external: ['vscode'],
      metafile: true,
      logLevel: 'silent',
    });
    const outputs = Object.values(metafile.outputs);
    return {
      // One entry per output that contains it: a module in two chunks would be two copies.
      inputs: outputs.flatMap(({ inputs }) => Object.keys(inputs)),
      imports: outputs.flatMap(({ imports }) => imports.filter(({ external }) => external).map(({ path }) => path)),
    };
  }
});

function isAllowed(edge: Edge): boolean {
  const { from, to } = edge;
  if (to === 'vscode') {
    return from === 'extension' || from.startsWith('vscode/');
  }
  if (from !== 'ids' && !from.startsWith('base/') && common(to, edge)) {
    return true;
  }
  if (from === 'extension' || from === 'vscode/contributions') {
    return !within('cli')(to) && !within('bridge')(to);
  }
  const [, surface] = from.match(/^vscode\/([^/]+)\//) ?? [];
  if (surface) {
    const shared = any(within(`vscode/${surface}`), within('vscode/interop'), typeOnly(sdkClient));
    return shared(to, edge) || (surfaces[surface]?.(to, edge) ?? false);
  }
  const row = table.find(({ folder }) => within(folder)(from));
  return row !== undefined && (within(row.folder)(to) || row.may(to, edge));
}

function readEdges(): Edge[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return files.flatMap((path) => {
    const from = path.split(sep).join('/').replace(/\.ts$/, '');
    const source = ts.createSourceFile(path, readFileSync(join('src', path), 'utf8'), ts.ScriptTarget.Latest, true);
    const found: Edge[] = [];
    const add = (specifier: ts.Node | undefined, kind: Edge['kind']): void => {
      if (specifier && ts.isStringLiteral(specifier)) {
        const isLocal = specifier.text.startsWith('.');
        const to = isLocal ? posix.join(posix.dirname(from), specifier.text) : specifier.text;
        found.push({ from, to, isLocal, kind });
      }
    };
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node)) {
        add(node.moduleSpecifier, isTypeImport(node.importClause) ? 'type' : 'static');
      } else if (ts.isExportDeclaration(node)) {
        add(node.moduleSpecifier, node.isTypeOnly ? 'type' : 'static');
      } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
        add(node.arguments[0], 'dynamic');
      } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
        add(node.argument.literal, 'type');
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

/** The files that are loaded with one of them. */
function loadedWith(entry: string): ReadonlySet<string> {
  const loaded = new Set([entry]);
  for (const file of loaded) {
    for (const { from, to, kind, isLocal } of edges) {
      if (from === file && kind === 'static' && isLocal) {
        loaded.add(to);
      }
    }
  }
  return loaded;
}

/** `import type …`, or every name of the import marked `type`. */
function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (!clause || clause.isTypeOnly) {
    return clause !== undefined;
  }
  const names = clause.namedBindings;
  return (
    !clause.name &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.every(({ isTypeOnly }) => isTypeOnly)
  );
}

/** One line per cycle found by depth-first search over local imports. */
function findCycles(): string[] {
  const targets = new Map<string, string[]>();
  for (const { from, to, isLocal } of edges) {
    if (isLocal) {
      targets.set(from, [...(targets.get(from) ?? []), to]);
    }
  }
  const cycles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    } else if (!done.has(file)) {
      for (const target of targets.get(file) ?? []) {
        walk(target, [...path, file]);
      }
      done.add(file);
    }
  };
  for (const file of targets.keys()) {
    walk(file, []);
  }
  return cycles;
}
