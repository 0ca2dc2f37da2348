// Runs the suites below this folder inside the extension host; the harness names the file that takes the report.
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Mocha from 'mocha';
import { Reporter } from '../harness/reporter.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Rejects when a test fails, as the editor expects it. */
export async function run(): Promise<void> {
  const report = process.env['PORTICO_TEST_REPORT'] ?? '';
  const grep = process.env['PORTICO_TEST_GREP'];
  const print = (line: string): void => appendFileSync(report, `${line}\n`);
  const mocha = new Mocha({
    reporter: Reporter,
    reporterOptions: { print },
    timeout: 60_000,
    ...(grep ? { grep } : {}),
  });
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.test.js')) {
      mocha.addFile(join(folder, file));
    }
  }
  await mocha.loadFilesAsync();
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) {
    throw new Error(`${failures} failed`);
  }
}
