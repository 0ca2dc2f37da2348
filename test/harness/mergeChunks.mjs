import { basename, dirname, resolve } from 'node:path';
import { rollup } from 'rollup';

/** Below this many bytes a chunk is not worth a file of its own. */
const smallBytes = 8_000;

/**
 * Puts the chunks of the extension together. esbuild makes a file for every set of chunks that share something, a hundred
 * in all, and twenty of them for activation; Rollup knows what is loaded by the time that a chunk is, and leaves it there.
 * The small ones behind those are one file besides, where they need nothing but what is loaded at activation, and each
 * other: loading all of them costs no more than loading one, and vsce warns of a package with more than a hundred files.
 * @param {{path: string, contents: Uint8Array}[]} files what esbuild made of the entry, with absolute paths
 * @param {string} entry absolute path
 * @returns {Promise<{path: string, contents: Buffer}[]>}
 */
export async function mergeChunks(files, entry) {
  const texts = new Map(files.map(({ path, contents }) => [path, Buffer.from(contents).toString()]));
  const inMemory = {
    name: 'in-memory',
    resolveId: (id, importer) => {
      const path = importer === undefined ? id : resolve(dirname(importer), id);
      return texts.has(path) ? path : { id, external: true };
    },
    load: (id) => texts.get(id),
  };
  const bundle = await rollup({
    input: entry,
    plugins: [inMemory],
    // esbuild has done it.
    treeshake: false,
    preserveEntrySignatures: 'allow-extension',
    // esbuild leaves imports of Node's modules that a chunk no longer uses.
    onwarn: ({ code, message }) => code !== 'UNUSED_EXTERNAL_IMPORT' && console.warn(message),
  });
  const folder = dirname(entry);
  const { isAtStart, isSmall } = sorted(texts, entry);
  const { output } = await bundle.generate({
    format: 'es',
    compact: true,
    hoistTransitiveImports: false,
    entryFileNames: basename(entry),
    chunkFileNames: 'chunks/[name].js',
    onlyExplicitManualChunks: true,
    // One that activation may load stays what it is: the way to a part of a file takes more bytes there.
    manualChunks: (id, { getModuleInfo }) =>
      isSmall(id) && !getModuleInfo(id).dynamicImporters.some(isAtStart) ? 'small' : undefined,
  });
  await bundle.close();
  return output.map(({ fileName, code }) => ({ path: resolve(folder, fileName), contents: Buffer.from(code) }));
}

/** Tells what is loaded with the entry, and what is small and needs nothing else. */
function sorted(texts, entry) {
  const importsOf = (id) =>
    [...(texts.get(id) ?? '').matchAll(/(?:\bfrom|\bimport)\s*"(\.[^"]+)"/g)].map(([, path]) =>
      resolve(dirname(id), path),
    );
  const atStart = new Set();
  const visit = (id) => {
    if (!atStart.has(id)) {
      atStart.add(id);
      importsOf(id).forEach(visit);
    }
  };
  visit(entry);
  const known = new Map();
  const isSmall = (id) => {
    if (!known.has(id)) {
      const fits = texts.has(id) && !atStart.has(id) && texts.get(id).length < smallBytes;
      known.set(id, fits && importsOf(id).every((other) => atStart.has(other) || isSmall(other)));
    }
    return known.get(id);
  };
  return { isAtStart: (id) => atStart.has(id), isSmall };
}
