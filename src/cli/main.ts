import { PorticoError, toProblem } from '../base/errors';
import type { Hub } from '../core/hubTypes';
import { createCliHub } from './cliHub';
import { type CommandLine, readCommandLine, USAGE, UsageError } from './commandLine';
import { isList, runList } from './lists';
import { runOperation } from './operations';
import { StreamOutput } from './output';
import { runWatch } from './watch';

const INTERRUPTED = 130;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const output = new StreamOutput(
  (text) => void process.stdout.write(text),
  (text) => void process.stderr.write(text),
);

// The SDK repeats there what servers say, as it came; the command says what matters of it.
console.warn = () => undefined;

async function run(): Promise<number> {
  let line: CommandLine | undefined;
  try {
    line = readCommandLine(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) {
      throw error;
    }
    process.stderr.write(`portico: ${error.message}\n\n${USAGE}`);
    return 1;
  }
  if (!line) {
    process.stdout.write(USAGE);
    return 0;
  }
  // The core's timers let a process end; a command waits for them.
  const awake = setInterval(() => undefined, 60_000);
  const hub = createCliHub(line, output);
  // Nothing else ends a `watch`.
  const interrupted = onSignal(hub, line.command === 'watch' ? 0 : INTERRUPTED);
  const over = new AbortController();
  try {
    return await Promise.race([interrupted, runCommand(line, hub, over.signal)]);
  } finally {
    over.abort();
    await hub.shutdown();
    clearInterval(awake);
  }
}

async function runCommand(line: CommandLine, hub: Hub, over: AbortSignal): Promise<number> {
  const { command, operands, json } = line;
  try {
    await hub.ready;
    if (command === 'watch') {
      return await runWatch(hub, output, over);
    }
    return isList(command)
      ? await runList(command, operands[0] ?? '', hub, output, json)
      : await runOperation(line, hub, output);
  } catch (error) {
    const named = PorticoError.is(error) ? error.server : undefined;
    const server = named ?? (isList(command) ? 'portico' : (operands[0] ?? 'portico'));
    const state = hub.server(server)?.status.peek();
    output.problem(server, toProblem(error), state?.kind === 'failed' ? state.detail : []);
    return 1;
  }
}

/** Settles when the person or a supervisor wants the end; the children are ended by `shutdown` then. */
function onSignal(hub: Hub, code: number): Promise<number> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => resolve(code));
    }
    // A reader that has seen enough (`| head`) closes the pipe.
    process.stdout.on('error', () => void hub.shutdown().finally(() => process.exit(1)));
  });
}

/** A pipe may take its text later than `write` returns; leaving before that would cut it. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

run()
  .catch((error: unknown) => {
    output.problem('portico', toProblem(error));
    return 1;
  })
  .then(async (code) => {
    await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
    process.exit(code);
  })
  .catch(() => process.exit(1));
