import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packPortico, packFolder } from '../../harness/package.mjs';

let packed: Promise<readonly string[]> | undefined;

/** The VSIX of Portico and that of the scripted model, made once per run. */
export function packagedExtensions(): Promise<readonly string[]> {
  packed ??= pack();
  return packed;
}

async function pack(): Promise<readonly string[]> {
  const model = join('out', 'test', 'scripted-model.vsix');
  mkdirSync(join('out', 'test'), { recursive: true });
  await packFolder('test/fixtures/extensions/scripted-model', model);
  return [await packPortico(), model];
}
