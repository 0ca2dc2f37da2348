// The bridge that agents start: `node bridge.js [--editor|--gateway] [--window ID] [--workspace PATH]`.
// It speaks MCP on stdio and passes everything on to a window of the editor. Messages for people go to stderr.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { porticoHome } from '../server/discovery/recordFiles';
import { AnswerReader } from './answerReader';
import { Bridge } from './bridge';
import { findWindow } from './findWindow';
import { KnownOffers } from './knownOffers';
import { LineSplitter } from './lineSplitter';
import { OfflineAnswers } from './offlineAnswers';
import { WindowLink } from './windowLink';

/** How long the window has to hear of the end, in milliseconds. */
const farewellMs = 500;

const { values } = parseArgs({
  options: {
    editor: { type: 'boolean' },
    gateway: { type: 'boolean' },
    window: { type: 'string' },
    workspace: { type: 'string' },
  },
});

const what = values.gateway ? 'gateway' : 'editor';
const home = porticoHome();
const say = (text: string): void => void process.stderr.write(`portico: ${text}\n`);
const out = (text: string): void => void process.stdout.write(`${text}\n`);

const find = findWindow(home, {
  window: values.window,
  workspace: values.workspace === undefined ? undefined : realOr(values.workspace),
  terminal: process.env['PORTICO_WINDOW'],
  cwd: realOr(process.cwd()),
});
const link = new WindowLink(find, `/${what}`, say);
const known = new KnownOffers(join(home, 'known', `${what}.json`), say);
const offline = new OfflineAnswers(known, () => link.state);
const bridge = new Bridge({ link, reader: new AnswerReader(known, link), offline, out, say });

/** Nothing is left behind: no timer, socket or session. */
async function leave(): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, farewellMs));
  await Promise.race([bridge.end().catch((error: unknown) => say(String(error))), late]);
  link.dispose();
  process.exit(0);
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
const lines = new LineSplitter((line) => {
  if (line.trim() !== '') {
    bridge.receive(line);
  }
});
process.stdin.on('data', (chunk: Buffer) => lines.push(chunk));
process.stdin.on('end', () => void leave());
