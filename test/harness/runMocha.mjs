// Runs the compiled tests of one folder: `node test/harness/runMocha.mjs FOLDER [--timeout MS] [--grep TEXT] [--tables]`.
// The folder's index.js gives the root hooks; with `--tables` what ran is listed too.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { globSync } from './glob.mjs';
import { Reporter } from './reporter.mjs';
import { TableReporter } from './tableReporter.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    timeout: { type: 'string', default: '20000' },
    grep: { type: 'string' },
    tables: { type: 'boolean' },
  },
});
const folder = resolve(positionals[0]);
const files = globSync(folder, /\.test\.js$/);
const index = join(folder, 'index.js');
const rootHooks = existsSync(index) ? (await import(pathToFileURL(index).href)).mochaHooks : undefined;
// So that what was started is ended at exit.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => process.exit(1));
}
const mocha = new Mocha({
  reporter: values.tables ? TableReporter : Reporter,
  timeout: Number(values.timeout),
  grep: values.grep,
  rootHooks,
});
for (const file of files) {
  mocha.addFile(file);
}
await mocha.loadFilesAsync();
mocha.run((failures) => {
  const code = failures > 0 || files.length === 0 ? 1 : 0;
  // An exit would cut off what a full pipe has not taken yet, such as the counts behind long tables.
  process.stdout.write('', () => process.exit(code));
});
