// The bridge that agents start. It speaks MCP on stdio and passes everything on to a window of the editor. Messages for
// people go to stderr.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { visibleLine } from '../base/visibleJson';
import { porticoHome } from '../server/discovery/recordFiles';
import { LARGEST_BODY_BYTES } from '../server/serverTypes';
import { invalid } from './agentMessage';
import { AnswerReader } from './answerReader';
import { Bridge } from './bridge';
import editorOffers from './editorOffers.json';
import { findWindow } from './findWindow';
import { KnownOffers } from './knownOffers';
import { LineSplitter } from './lineSplitter';
import { OfflineAnswers } from './offlineAnswers';
import { WindowLink } from './windowLink';

/** How long the window has to hear of the end, in milliseconds. */
const farewellMs = 500;
/** How long what was asked before the end of the input may take, in milliseconds. */
const lastAnswersMs = 10_000;
/** In characters. What is longer is not even read for its id: Node has no text of four times that length. */
const longestLine = 8 * LARGEST_BODY_BYTES;

const usage = `Usage: node bridge.js [--editor|--gateway] [--client ID] [--window ID] [--workspace PATH]

Speaks MCP on standard input and output, for a window of the editor that has Portico.
  --editor          what the editor itself knows and does (the default)
  --gateway         the servers that Portico is connected to
  --client ID       the agent that asks, as Portico knows it
  --window ID       this window: its id, or the name, path or URI of a folder it has open
  --workspace PATH  the window that has this folder open
  --help            these lines
`;

function readArguments() {
  try {
    return parseArgs({
      options: {
        editor: { type: 'boolean' },
        gateway: { type: 'boolean' },
        client: { type: 'string' },
        window: { type: 'string' },
        workspace: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`portico: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}

const values = readArguments();
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}

const what = values.gateway ? 'gateway' : 'editor';
const home = porticoHome();
const say = (text: string): void => void process.stderr.write(`portico: ${visibleLine(text)}\n`);
const out = (text: string): void => void process.stdout.write(`${text}\n`);

const find = findWindow(home, {
  window: values.window,
  workspace: values.workspace === undefined ? undefined : realOr(values.workspace),
  terminal: process.env['PORTICO_WINDOW'],
  cwd: realOr(process.cwd()),
});
const link = new WindowLink(find, `/${what}`, say, values.client);
const builtIn = what === 'editor' ? editorOffers : {};
const known = new KnownOffers(join(home, 'known', `${what}.json`), say, builtIn);
const offline = new OfflineAnswers(known, () => `${link.state} ${link.advice}`);
const bridge = new Bridge({ link, reader: new AnswerReader(known, link), offline, out, say });

/** Nothing is left behind: no timer, socket or session, and nothing that was not read yet. */
async function leave(): Promise<void> {
  const written = new Promise((resolve) => process.stdout.write('', resolve));
  await Promise.race([
    Promise.all([bridge.end().catch((error: unknown) => say(String(error))), written]),
    late(farewellMs),
  ]);
  link.dispose();
  process.exit(0);
}

/** What was read before the end of the input has its answer. */
async function finish(): Promise<void> {
  lines.end();
  await Promise.race([bridge.settled(), late(lastAnswersMs)]);
  await leave();
}

function late(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A directory that is gone is still a wish.
    return path;
  }
}

process.stdout.on('error', () => process.exit(0));
process.on('SIGTERM', () => void leave());
process.on('SIGINT', () => void leave());

await known.load();
const lines = new LineSplitter(
  (line) => {
    if (line.trim() !== '') {
      bridge.receive(line);
    }
  },
  longestLine,
  () =>
    out(invalid(undefined, `Invalid request: a message of more than ${longestLine} characters is not read.`).answer),
);
process.stdin.on('data', (chunk: Buffer) => lines.push(chunk));
process.stdin.on('end', () => void finish());
