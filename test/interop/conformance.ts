import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { provideWebEditor } from '../harness/editor.mjs';
import type { Measured } from './note';

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
  readonly description: string;
}

/** Checks of `server-stateless` that look for tools of the suite's own fixture. */
export const fixtureChecks: readonly string[] = [
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2575-server-sends-tools-list-changed-on-subscription',
  'sep-2575-server-sends-prompts-list-changed-on-subscription',
];

export interface ScenarioResult extends Measured {
  /** What failed, a sentence each; a warning counts as a failure, and so does nothing checked. */
  readonly problems: readonly string[];
}

/** The official conformance suite as a command line; it needs a newer Node than Portico. */
export async function conformanceProgram(): Promise<readonly [string, ...string[]]> {
  const { node } = await provideWebEditor();
  return [node, '--no-deprecation', resolve('node_modules/@modelcontextprotocol/conformance/dist/index.js')];
}

/**
 * Runs a scenario of the suite. `target` is `--command` with a program, found by the running Node, or `--url` with an
 * address. Checks in `exempt` may fail.
 */
export async function runScenario(
  side: 'client' | 'server',
  scenario: string,
  version: string,
  target: readonly [string, string],
  exempt: readonly string[] = [],
): Promise<ScenarioResult> {
  const [node, ...program] = await conformanceProgram();
  const folder = mkdtempSync(join(tmpdir(), 'portico-conformance-'));
  const start = performance.now();
  try {
    // By force, because the suite has scenarios of extensions at no revision.
    const at = ['--scenario', scenario, '--spec-version', version, '--force'];
    const options = [...at, '--timeout', '60000', '-o', folder];
    const child = spawn(node, [...program, side, ...target, ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its command line is split at spaces, so the client's Node is named by its name alone.
      env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}` },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const code = await new Promise<number | null>((done, failed) => child.on('error', failed).on('close', done));
    const checks = readChecks(folder);
    const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
    const bad = checks.filter(({ id, status }) => /FAILURE|WARNING/.test(status) && !exempt.includes(id));
    const problems = bad.map(({ id, errorMessage, description }) => `${id}: ${errorMessage ?? description}`);
    if (problems.length === 0 && (passed === 0 || (code !== 0 && exempt.length === 0))) {
      problems.push(`Ended with ${code}, ${passed} checks passed: ${output}`);
    }
    return { passed, failed: bad.length, problems, seconds: (performance.now() - start) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A scenario whose name has slashes lies that much deeper. */
function readChecks(folder: string): readonly Check[] {
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
    (path) => basename(path) === 'checks.json',
  );
  return file === undefined ? [] : (JSON.parse(readFileSync(join(folder, file), 'utf8')) as readonly Check[]);
}
