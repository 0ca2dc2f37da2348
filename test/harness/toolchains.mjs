// Provides servers that are no npm packages: a Python environment, and a compiled Java program. Both are kept in the cache
// folder. Where the toolchain is missing, what comes back is the reason.
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideOnce } from './cache.mjs';

const isWindows = process.platform === 'win32';

/**
 * A Python environment with these packages, installed by pip once; about 20 s.
 * @param {string} name
 * @param {readonly string[]} requirements with exact versions
 * @returns {Promise<{ python: string } | { missing: string }>} its interpreter
 */
export async function providePython(name, requirements) {
  const python = isWindows ? 'python' : 'python3';
  const missing = await lacks(python, ['-c', 'import venv, sys; sys.exit(sys.version_info < (3, 10))'], 'Python 3.10');
  if (missing) {
    return { missing };
  }
  const folder = await provideOnce(`python-${name}-${digest(requirements.join())}`, async (unfinished) => {
    await run(python, ['-m', 'venv', join(unfinished, 'environment')]);
    const quietly = ['--quiet', '--disable-pip-version-check'];
    await run(interpreter(unfinished), ['-m', 'pip', 'install', ...quietly, ...requirements]);
  });
  // Its scripts name the interpreter by the path at which it was made; modules run from anywhere.
  return { python: interpreter(folder) };
}

/**
 * A Java program of one file with the libraries that its pom names, compiled once; about 20 s with an empty repository.
 * @param {string} source the file, named for its class
 * @param {string} pom
 * @returns {Promise<{ classPath: string } | { missing: string }>}
 */
export async function provideJava(source, pom) {
  const missing =
    (await lacks('javac', ['-version'], 'A JDK')) ?? (await lacks('mvn', ['--version'], 'Maven', isWindows));
  if (missing) {
    return { missing };
  }
  const key = digest(readFileSync(source, 'utf8') + readFileSync(pom, 'utf8'));
  const folder = await provideOnce(`java-${key}`, async (unfinished) => {
    copyFileSync(pom, join(unfinished, 'pom.xml'));
    const libraries = `-DoutputDirectory=${join(unfinished, 'lib')}`;
    await run('mvn', ['-q', '-B', '-f', unfinished, 'dependency:copy-dependencies', libraries], isWindows);
    await run('javac', ['-nowarn', '-d', join(unfinished, 'classes'), '-cp', join(unfinished, 'lib', '*'), source]);
  });
  return { classPath: [join(folder, 'classes'), join(folder, 'lib', '*')].join(isWindows ? ';' : ':') };
}

const interpreter = (folder) =>
  join(folder, 'environment', ...(isWindows ? ['Scripts', 'python.exe'] : ['bin', 'python']));

const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 12);

async function lacks(program, args, what, shell = false) {
  try {
    await run(program, args, shell);
    return undefined;
  } catch (error) {
    return `${what} is not here (${String(error.message).split('\n')[0]}).`;
  }
}

/** Runs a program to its end; rejects with what it said where that is not 0. */
async function run(program, args, shell = false) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], shell });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (output += chunk));
  }
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) {
    throw new Error(`${program} ended with ${code}\n${output}`);
  }
}
