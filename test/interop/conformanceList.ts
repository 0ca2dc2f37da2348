import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { conformanceProgram } from './conformance';

/** A scenario at the revision whose wire it is run on. */
export interface ScenarioAt {
  readonly scenario: string;
  readonly version: string;
}

export interface Scenarios {
  /** What each revision requires, in the suite's order. */
  readonly required: ReadonlyMap<string, readonly string[]>;
  /** All the others that the suite has. */
  readonly further: readonly ScenarioAt[];
}

/** Asks the official suite which scenarios it has for clients or servers, so that a new one is not missed. */
export async function listScenarios(side: 'client' | 'server', versions: readonly string[]): Promise<Scenarios> {
  const required = new Map<string, readonly string[]>();
  const further: ScenarioAt[] = [];
  for (const version of versions) {
    const [scored = '', unscored = ''] = (await list('--requirements', version)).split('never scored');
    required.set(version, names(partOf(side, scored)).map(nameOf));
    further.push(
      ...names(unscored)
        .filter((line) => line.endsWith(`[${side}]`))
        .map((line) => ({ scenario: nameOf(line), version })),
    );
  }
  const asked = new Set(further.map(({ scenario }) => scenario));
  for (const line of names(partOf(side, await list(`--${side}`)))) {
    const scenario = nameOf(line);
    for (const at of /\[(.*)\]$/.exec(line)?.[1]?.split(',') ?? []) {
      if (at !== 'extension' && !versions.includes(at)) {
        further.push({ scenario, version: at });
      } else if (!asked.has(scenario) && ![...required.values()].some((set) => set.includes(scenario))) {
        further.push({ scenario, version: at === 'extension' ? (versions.at(-1) ?? at) : at });
      }
    }
  }
  return { required, further };
}

async function list(...options: readonly string[]): Promise<string> {
  const [node, ...args] = await conformanceProgram();
  return (await promisify(execFile)(node, [...args, 'list', ...options])).stdout;
}

function partOf(side: 'client' | 'server', text: string): string {
  return new RegExp(`^${side} scenarios[^\\n]*\\n((?: {2}- .*\\n?)*)`, 'im').exec(text)?.[1] ?? '';
}

function names(text: string): readonly string[] {
  return [...text.matchAll(/^ +- (.*\S)\s*$/gm)].map(([, name = '']) => name);
}

function nameOf(line: string): string {
  return line.split(' ')[0] ?? line;
}
