// Builds the bundles: `node test/harness/build.mjs [--watch] [--quiet] [--dev] [unit|editor|ui|interop|bench]…`.
// Without a suite only the product is built; with one, its tests are built beside it into dist/test.
import { build, context } from 'esbuild';
import { globSync } from './glob.mjs';

const args = process.argv.slice(2);
const watch = args.includes('--watch');
const quiet = args.includes('--quiet');
const minify = !args.includes('--dev') && !watch;
const suites = args.filter((arg) => !arg.startsWith('--'));

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
const product = [
  { ...shared, entryPoints: { extension: 'src/extension.ts' }, outdir: 'dist', splitting: true, chunkNames: 'chunks/[name]-[hash]', external: ['vscode'], metafile: true },
  { ...shared, entryPoints: { cli: 'src/cli/main.ts', configServer: 'src/configServer/main.ts' }, outdir: 'dist', external: [] },
];
const tests = suites.map((suite) => ({
  ...shared,
  minify: false,
  sourcemap: 'inline',
  entryPoints: globSync(`test/${suite}`, suite === 'bench' ? /main\.ts$/ : /\.test\.ts$|(^|\/)(index|main)\.ts$/),
  outbase: 'test',
  outdir: 'dist/test',
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
  await Promise.all([...product, ...tests].map((options) => build(options)));
  if (!quiet) {
    console.log(`built ${['portico', ...suites].join(', ')} in ${Date.now() - start} ms`);
  }
}
