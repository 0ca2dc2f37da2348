import { splitCommand } from './commandWords';
import { nothing, type Reading, recognized, servers, stdio } from './recognized';
import { recognizeClient } from './recognizeClient';

/** A command line as one would type it into a terminal, or a lone package, image, script or program. */
export function recognizeCommand(text: string): Reading {
  const split = splitCommand(quoteProgram(stripPrompt(text)));
  switch (split.kind) {
    case 'open':
      return nothing(`A ${split.quote} is not closed.`);
    case 'shell':
      return nothing(
        `${split.operator} needs a shell, and none is used: paste the single command that starts the server.`,
      );
    case 'words':
      return recognizeClient(split.words) ?? recognizeWords(split.words);
  }
}

function recognizeWords(words: readonly string[]): Reading {
  const env: [string, string][] = [];
  const rest = [...words];
  if (rest[0] === 'env') {
    rest.shift();
  }
  for (let match = assignment(rest[0]); match !== undefined; match = assignment(rest[0])) {
    env.push(match);
    rest.shift();
  }
  const [command, ...args] = rest;
  if (command === undefined) {
    return nothing('There is no command behind the variables.');
  }
  if (isProse([command, ...args])) {
    return nothing('This reads like a sentence: paste the command line or the address of a server.');
  }
  const whole = args.length === 0 ? lone(command) : installed(command, args);
  if (whole === undefined) {
    return nothing(`${command} alone starts no server: paste what follows it too.`);
  }
  const [program = command, ...given] = whole;
  return servers(recognized(stdio(program, given, env), undefined));
}

const runners =
  /^(npx|bunx|uvx|uv|node|python3?|docker|podman|deno|bun|pnpm|yarn|npm|pipx|cmd|bash|sh|claude|code|codex|gemini|help)$/;
/** Reference servers that are Python packages though their names look like any. */
const pythonPackages = /^mcp-server-(time|fetch|git|sqlite)$/;

/** Several plain words, none of which starts anything. */
function isProse(words: readonly string[]): boolean {
  return (
    words.length > 1 &&
    !runners.test(words[0] ?? '') &&
    words.every((word) => /^[\p{L}'’]+[,.:;!?]?$/u.test(word)) &&
    !words.some((word) => /^(serve|server|start|run|mcp|stdio|exec|launch|install|pull)$/i.test(word))
  );
}

/** The command line that a single word means. */
function lone(word: string): readonly string[] | undefined {
  if (runners.test(word)) {
    return undefined;
  }
  if (/\.[cm]?js$/.test(word)) {
    return ['node', word];
  }
  if (/\.py$/.test(word)) {
    return ['python3', word];
  }
  if (/==/.test(word) || pythonPackages.test(word)) {
    return ['uvx', word];
  }
  if (
    /^@[\w.-]+\/[\w.-]+(@[\w.^~-]+)?$|^[a-z0-9][a-z0-9._-]*(@[\w.^~-]+)?$/.test(word) &&
    !/\.(exe|cmd|bat|sh)$/.test(word)
  ) {
    return ['npx', '-y', word];
  }
  if (/^(?![./~])[a-z0-9.-]+(:\d+)?(\/[a-z0-9._-]+)+(:[\w.-]+)?(@sha256:[0-9a-f]+)?$/.test(word)) {
    return ['docker', 'run', '-i', '--rm', word];
  }
  return [word];
}

/** What one installs is run by the runner of its registry. */
function installed(command: string, args: readonly string[]): readonly string[] {
  const [verb = '', ...rest] = args;
  const [target, ...more] = rest.filter((arg) => !arg.startsWith('-'));
  if (target === undefined || more.length > 0) {
    return [command, ...args];
  }
  if (command === 'npm' && /^(i|install|add)$/.test(verb)) {
    return ['npx', '-y', target];
  }
  if (/^pip[3x]?$/.test(command) && verb === 'install') {
    return ['uvx', target];
  }
  return command === 'docker' && verb === 'pull' ? ['docker', 'run', '-i', '--rm', target] : [command, ...args];
}

function assignment(word: string | undefined): [string, string] | undefined {
  const [, name, value] = /^([A-Za-z_]\w*)=([^]*)$/.exec(word ?? '') ?? [];
  return name === undefined || value === undefined ? undefined : [name, value];
}

/** A Windows program's path is one word, its spaces included. */
function quoteProgram(text: string): string {
  return text.replace(/^[A-Z]:\\[^"'<>|*?\n]*? [^"'<>|*?\n]*?\.(?:exe|cmd|bat)(?=\s|$)/i, '"$&"');
}

/** `$ `, `> `, `% `, `# ` and PowerShell's prompt in front. */
function stripPrompt(text: string): string {
  return text.replace(/^(?:PS [A-Z]:[^>\n]*>|[A-Z]:\\[^>\n]*>|[$%>#❯])\s+/, '');
}
