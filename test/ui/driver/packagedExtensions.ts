import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, packFolder, packPortico } from '../../harness/package.mjs';

let packed: readonly string[] | undefined;

/** The VSIX of Portico and that of the scripted model, made once per run. */
export function packagedExtensions(): readonly string[] {
  packed ??= pack();
  return packed;
}

function pack(): readonly string[] {
  const model = join('out', 'test', 'scripted-model.vsix');
  mkdirSync(join('out', 'test'), { recursive: true });
  packFolder('test/fixtures/extensions/scripted-model', model, '--skip-license');
  const portico = packPortico();
  // What people install is what may be published.
  checkPackage(portico);
  return [portico.vsix, model];
}
