import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

let built: Promise<URL> | undefined;

/** The thread of the editor server's files, bundled as it is packaged; gone when this process is. */
export function editorWorker(): Promise<URL> {
  built ??= bundle();
  return built;
}

async function bundle(): Promise<URL> {
  const folder = resolve('.cache', `editor-worker-${process.pid}`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'editorWorker.mjs');
  await build({
    entryPoints: ['src/server/editor/files/worker/main.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire as porticoCreateRequire } from 'node:module'; const require = porticoCreateRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return pathToFileURL(outfile);
}
