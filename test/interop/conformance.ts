import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { provideWebEditor } from '../harness/editor.mjs';

const PROGRAM = resolve('node_modules/@modelcontextprotocol/conformance/dist/index.js');

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
  readonly description: string;
}

/**
 * Runs a scenario of the official conformance suite, which needs a newer Node than Portico, and gives the number of
 * checks that passed. `target` is `--command` with a program, found by the running Node, or `--url` with an address.
 * Rejects with what failed; a warning counts as a failure, and so does nothing checked. Checks in `exempt` may fail.
 */
export async function runScenario(
  side: 'client' | 'server',
  scenario: string,
  version: string,
  target: readonly [string, string],
  exempt: readonly string[] = [],
): Promise<number> {
  const { node } = await provideWebEditor();
  const folder = mkdtempSync(join(tmpdir(), 'portico-conformance-'));
  try {
    const options = ['--scenario', scenario, '--spec-version', version, '--timeout', '60000', '-o', folder];
    const child = spawn(node, ['--no-deprecation', PROGRAM, side, ...target, ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its command line is split at spaces, so the client's Node is named by its name alone.
      env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}` },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const code = await new Promise<number | null>((done, failed) => child.on('error', failed).on('close', done));
    const [results] = readdirSync(folder);
    if (results === undefined) {
      throw new Error(`No results, ended with ${code}: ${output}`);
    }
    const checks = JSON.parse(readFileSync(join(folder, results, 'checks.json'), 'utf8')) as readonly Check[];
    const bad = checks.filter(({ id, status }) => /FAILURE|WARNING/.test(status) && !exempt.includes(id));
    const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
    if (bad.length > 0 || passed === 0 || (code !== 0 && exempt.length === 0)) {
      const reasons = bad.map(({ id, errorMessage, description }) => `${id}: ${errorMessage ?? description}`);
      throw new Error(reasons.length > 0 ? reasons.join('\n') : `Ended with ${code}: ${output}`);
    }
    return passed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
