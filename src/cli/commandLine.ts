import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** A command line that cannot be understood; its message goes to stderr with the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface CommandLine {
  readonly command: string;
  readonly operands: readonly string[];
  /** Absolute paths. */
  readonly configs: readonly string[];
  readonly roots: readonly string[];
  readonly json: boolean;
  /** The file of answers to what servers ask; absolute. */
  readonly answers: string | undefined;
  /** Bounds each request, in milliseconds, whatever the entry says; nothing where nobody asked for that. */
  readonly timeoutMs: number | undefined;
  /** Bounds requests and whole starts of entries that say nothing of it, in milliseconds. */
  readonly requestMs: number;
  readonly startMs: number;
}

export const USAGE = `Usage: portico [flags] COMMAND …   (flags may also follow the command)

Commands
  servers | tools | resources | templates | prompts   start all enabled servers and list
  search QUERY                                        the tools that fit, best first
  call SERVER TOOL ['{…}']                            call a tool
  read SERVER URI                                     read a resource
  prompt SERVER NAME ['{…}']                          get a prompt
  complete SERVER prompt|template NAME ARGUMENT VALUE ['{…}']
                                                      complete an argument; the object holds the arguments given before
  expand SERVER TEMPLATE ['{…}']                      the URI of a template: a listed name, which starts the server,
                                                      or any URI template, which starts nothing
  watch                                               start all enabled servers; print a line of JSON for each change
                                                      until SIGINT (exit code 0 then). The lines:
      {server, what: "state", state, problem?}            as in \`servers\`
      {server, what: "tools" | "resources" | "templates" | "prompts", count, problem?}   this list was read (anew)
      {server, what: "resource", uri}                     listed resources are subscribed to, 1,000 of each server

Flags
  --config FILE      a config file of any format; repeatable. Naming it is the consent to run its servers
  --root DIR         a workspace folder; repeatable. \${workspaceFolder} is the first (the current folder otherwise)
  --json             JSON instead of tables
  --answers FILE     {"elicitation": [RESULT…]}: answers to what servers ask, in order; declined without one
  --timeout SECONDS  bounds each request (60 otherwise; progress makes it longer) and each whole start (30 otherwise)

Exit codes: 0 done (a list: any server answered), 1 failed, 2 the result is an error of the tool.
`;

/** Numbers of operands that a command takes: the least and the most. */
export const COMMANDS: Readonly<Record<string, readonly [number, number]>> = {
  servers: [0, 0],
  tools: [0, 0],
  resources: [0, 0],
  templates: [0, 0],
  prompts: [0, 0],
  search: [1, 1],
  call: [2, 3],
  read: [2, 2],
  prompt: [2, 3],
  complete: [5, 6],
  expand: [2, 3],
  watch: [0, 0],
};
const DEFAULT_REQUEST_SECONDS = 60;
const DEFAULT_START_SECONDS = 30;

/** Reads the arguments after `node cli.js`; nothing where help is asked for. Throws UsageError. */
export function readCommandLine(args: readonly string[]): CommandLine | undefined {
  const { values, positionals } = parse(args);
  if (values.help) {
    return undefined;
  }
  const [command, ...operands] = positionals;
  if (command === undefined) {
    throw new UsageError('A command is missing.');
  }
  const range = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (!range) {
    throw new UsageError(`There is no command "${command}".`);
  }
  if (operands.length < range[0] || operands.length > range[1]) {
    throw new UsageError(
      `The command "${command}" takes ${range[0]}${range[0] === range[1] ? '' : ` to ${range[1]}`} operands, not ${operands.length}.`,
    );
  }
  if (!values.config) {
    throw new UsageError('Name at least one config file with --config FILE.');
  }
  const seconds = values.timeout === undefined ? undefined : toSeconds(values.timeout);
  return {
    command,
    operands,
    configs: values.config.map(toPath),
    roots: (values.root ?? []).map(toDirectory),
    json: values.json ?? false,
    answers: values.answers === undefined ? undefined : toPath(values.answers),
    timeoutMs: seconds === undefined ? undefined : seconds * 1_000,
    requestMs: (seconds ?? DEFAULT_REQUEST_SECONDS) * 1_000,
    startMs: (seconds ?? DEFAULT_START_SECONDS) * 1_000,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        config: { type: 'string', multiple: true },
        root: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        answers: { type: 'string' },
        timeout: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function toSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new UsageError(`--timeout takes a positive number of seconds, not "${text}".`);
  }
  return seconds;
}

/** Servers are told of directories that are there. */
function toDirectory(text: string): string {
  const path = toPath(text);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--root takes a directory, and "${text}" is none.`);
  }
  return path;
}

/** npm runs scripts in the package's folder and says in INIT_CWD where the person was. */
function toPath(text: string): string {
  const here = resolve(text);
  const { INIT_CWD: there } = process.env;
  return existsSync(here) || there === undefined ? here : resolve(there, text);
}
