import { basename, dirname, resolve } from 'node:path';
import { rollup } from 'rollup';

/**
 * Puts the chunks of the extension together. esbuild makes a file for every set of chunks that share something, a hundred
 * in all, and twenty of them for activation; Rollup knows what is loaded by the time that a chunk is, and leaves it there.
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
    onwarn: ({ message }) => console.warn(message),
  });
  const folder = dirname(entry);
  const { output } = await bundle.generate({
    format: 'es',
    compact: true,
    hoistTransitiveImports: false,
    entryFileNames: basename(entry),
    chunkFileNames: 'chunks/[name].js',
  });
  await bundle.close();
  return output.map(({ fileName, code }) => ({ path: resolve(folder, fileName), contents: Buffer.from(code) }));
}
