// `npm run package`: builds, makes out/portico-<version>.vsix by vsce, and looks into it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const largestBytes = 1_500_000;
const vsce = resolve('node_modules/@vscode/vsce/vsce');

/**
 * Builds and packs Portico; whether it may be published, `checkPackage` says.
 * @returns {{vsix: string, said: string}} the package's path, and what vsce said
 */
export function packPortico() {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const vsix = join('out', `portico-${version}.vsix`);
  mkdirSync('out', { recursive: true });
  // Chunks of an earlier build carry other hashes and would be packed too.
  rmSync('dist/chunks', { recursive: true, force: true });
  const build = spawnSync(process.execPath, ['test/harness/build.mjs', '--quiet'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (build.status !== 0) {
    throw new Error('Portico does not build.');
  }
  return { vsix, said: packFolder('.', vsix) };
}

/**
 * Packs the extension in a folder. The README's pictures lie in the package, so their links stay relative.
 * @param {string} folder
 * @param {string} vsix
 * @param {...string} more arguments of vsce
 * @returns {string} what vsce said
 */
export function packFolder(folder, vsix, ...more) {
  const links = ['--no-rewrite-relative-links', '--allow-missing-repository'];
  const args = ['--no-deprecation', vsce, 'package', '--no-dependencies', ...links, '--out', resolve(vsix), ...more];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`vsce, in ${folder}:\n${stdout}${stderr}`);
  }
  return stdout + stderr;
}

/**
 * Throws when vsce warned or the package isn't as it should be.
 * @param {{vsix: string, said: string}} packed
 */
export function checkPackage({ vsix, said }) {
  const bytes = statSync(vsix).size;
  const files = listZip(readFileSync(vsix)).map((name) => name.replace(/^extension\//, ''));
  const foreign = files.filter(
    (name) =>
      !/^(dist\/(chunks\/[\w.-]+|bridge|configServer|editorWorker|extension)\.js|media\/.+|package\.json|readme\.md|changelog\.md|LICENSE\.txt|LICENSE|\[Content_Types\]\.xml|extension\.vsixmanifest)$/i.test(
        name,
      ),
  );
  const pictures = [...readFileSync('README.md', 'utf8').matchAll(/(?:\]\(|src=")(media\/[^)"\s]+)/g)].map(
    ([, path]) => path,
  );
  const missing = ['dist/extension.js', 'package.json', ...pictures].filter((name) => !files.includes(name));
  const faults = [
    ...(/warning/i.test(said) ? [said] : []),
    ...(bytes > largestBytes ? [`${bytes} bytes, ${largestBytes} are allowed`] : []),
    ...foreign.map((name) => `${name} does not belong in it`),
    ...missing.map((name) => `${name} is missing`),
  ];
  if (faults.length > 0) {
    throw new Error(`${vsix}: ${faults.join('; ')}`);
  }
}

/** Names in a zip file's central directory. */
function listZip(zip) {
  const names = [];
  let end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = zip.readUInt32LE(end + 16);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    names.push(zip.toString('utf8', at + 46, at + 46 + nameLength));
    at += 46 + nameLength + extraLength + commentLength;
  }
  return names;
}

if (process.argv[1]?.endsWith('package.mjs')) {
  const packed = packPortico();
  checkPackage(packed);
  const { vsix } = packed;
  console.log(`${vsix}: ${(statSync(vsix).size / 1000).toFixed(0)} kB`);
}
