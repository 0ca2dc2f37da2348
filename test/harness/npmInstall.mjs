import { spawn } from 'node:child_process';

/**
 * Runs npm as it was started itself, without the settings that an npm script hands down about its own package.
 * @param {string} folder
 * @param {...string} args
 */
export async function npmInstall(folder, ...args) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([key]) => !/^npm_(package|lifecycle|config_(local_prefix|prefix|omit|include))/.test(key),
    ),
  );
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const [command, ...rest] = [
    ...npm,
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...args,
  ];
  const child = spawn(command, rest, {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32' && npm.length === 1,
  });
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) {
    throw new Error(`npm install ${args.join(' ')} failed with ${code}:\n${output}`);
  }
}
