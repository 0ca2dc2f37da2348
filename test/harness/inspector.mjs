// Provides the MCP Inspector, whose command line drives servers. It is kept in the cache folder: with the web application
// that it brings along it is larger than all else that tests need.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideOnce } from './cache.mjs';
import { npmInstall } from './npmInstall.mjs';

const version = '2.12.0';

/**
 * Installs it once per version; about 20 s.
 * @returns {Promise<string>} its program, for Node 22 or newer
 */
export async function provideInspector() {
  const folder = await provideOnce(`inspector-${version}`, async (unfinished) => {
    writeFileSync(join(unfinished, 'package.json'), JSON.stringify({ name: 'inspector', private: true }));
    await npmInstall(unfinished, `@modelcontextprotocol/inspector@${version}`);
  });
  return join(folder, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
}
