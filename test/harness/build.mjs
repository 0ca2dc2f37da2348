// Builds the bundles: `node test/harness/build.mjs [--watch] [--quiet] [--dev] [unit|editor|ui|interop|bench]…`.
// Without a suite only the product is built; with one, its tests are built beside it into dist/test.
// `unit:core/config` builds only the tests below test/unit/core/config; `--tests-only` leaves the product out;
// `--out DIR` builds into another folder than dist. A suite's index.ts is built in any case.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build, context } from 'esbuild';
import { globSync } from './glob.mjs';
import { mergeChunks } from './mergeChunks.mjs';

const args = process.argv.slice(2);
const watch = args.includes('--watch');
const quiet = args.includes('--quiet');
const minify = !args.includes('--dev') && !watch;
const testsOnly = args.includes('--tests-only');
const outIndex = args.indexOf('--out');
const out = outIndex >= 0 ? args[outIndex + 1] : 'dist';
const suites = args.filter((arg, index) => !arg.startsWith('--') && (outIndex < 0 || index !== outIndex + 1));

// CommonJS packages inside ESM bundles call `require` for Node's built-ins.
const banner = {
  js: "import { createRequire as porticoCreateRequire } from 'node:module'; const require = porticoCreateRequire(import.meta.url);",
};
const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  banner,
  minify,
  legalComments: 'none',
  logLevel: 'warning',
  // The UMD builds of these hide their requires from the bundler.
  mainFields: ['module', 'main'],
};

/** The extension is split, so that activation loads little and there is one copy of every module in its process. */
const product = testsOnly
  ? []
  : [
      {
        ...shared,
        entryPoints: { extension: 'src/extension.ts' },
        outdir: out,
        splitting: true,
        chunkNames: 'chunks/[name]-[hash]',
        external: ['vscode'],
        metafile: true,
      },
      {
        ...shared,
        entryPoints: {
          cli: 'src/cli/main.ts',
          configServer: 'src/configServer/main.ts',
          editorWorker: 'src/server/editor/files/worker/main.ts',
          bridge: 'src/bridge/main.ts',
        },
        outdir: out,
        external: [],
      },
    ];
const tests = suites
  .map((name) => name.split(':'))
  .map(([suite, below = '']) => ({
    ...shared,
    minify: false,
    sourcemap: 'inline',
    entryPoints: [
      ...globSync(`test/${suite}/${below}`, /\.test\.ts$|(^|\/)main\.ts$/),
      ...globSync(`test/${suite}`, /^test\/[a-z]+\/index\.ts$/),
    ],
    outbase: 'test',
    outdir: `${out}/test`,
    splitting: true,
    chunkNames: `${suite}/chunks/[name]-[hash]`,
    packages: 'external',
    external: ['vscode'],
  }));

const start = Date.now();
if (watch) {
  for (const options of [...product, ...tests]) {
    await (await context(options)).watch();
  }
  console.log('watching');
} else {
  const builds = await Promise.allSettled([...product, ...tests].map((options) => build({ ...options, write: false })));
  if (builds.some(({ status }) => status === 'rejected')) {
    // esbuild has printed why.
    process.exit(1);
  }
  // What is measured is loaded in as few files as what is shipped.
  const merged = [resolve(out, 'extension.js'), resolve(out, 'test/bench/main.js')];
  const written = (
    await Promise.all(
      builds.map(({ value: { outputFiles } }) => {
        const entry = outputFiles.map(({ path }) => path).find((path) => merged.includes(path));
        return entry === undefined ? outputFiles : mergeChunks(outputFiles, entry);
      }),
    )
  ).flat();
  written.forEach(emit);
  const kept = new Set(written.map(({ path }) => path));
  // What an earlier build left would be packed, or run, beside what is there now.
  const whole = [
    ...(testsOnly ? [] : ['chunks']),
    ...suites.filter((name) => !name.includes(':')).map((name) => `test/${name}`),
  ];
  for (const folder of whole.map((name) => join(out, name)).filter((folder) => existsSync(folder))) {
    globSync(folder, /\.js$/)
      .filter((path) => !kept.has(resolve(path)))
      .forEach((path) => rmSync(path, { force: true }));
  }
  if (!quiet) {
    console.log(`built ${['portico', ...suites].join(', ')} in ${Date.now() - start} ms`);
  }
}

/** Leaves an unchanged file alone and replaces another in one step: a program may be running from it. */
function emit({ path, contents }) {
  if (existsSync(path) && readFileSync(path).equals(contents)) {
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, contents);
  renameSync(fresh, path);
}
