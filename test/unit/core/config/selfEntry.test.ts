import assert from 'node:assert/strict';
import type { Launch } from '../../../../src/core/config/configTypes';
import { leadsToPortico, type OwnAddresses } from '../../../../src/core/config/selfEntry';

const token = 'q'.repeat(43);
const own: OwnAddresses = {
  paths: ['/opt/portico/dist/bridge.js'],
  home: '/data/portico/',
  urls: ['http://127.0.0.1:4711'],
};

function stdio(command: string, args: readonly string[] = [], env = {}): Launch {
  return { type: 'stdio', command, args, env };
}

function remote(url: string, authorization?: string): Launch {
  return { type: 'http', url, headers: authorization === undefined ? {} : { Authorization: authorization } };
}

describe('an entry leads back to Portico', () => {
  const leading: Readonly<Record<string, Launch>> = {
    'by the launcher in a home': stdio('/usr/bin/node', ['/home/a/.portico/bridge.mjs', '--editor']),
    'by that of another person': stdio('node', ['/Users/b/.portico/bridge.mjs', '--gateway', '--client', 'codex']),
    'by that of Windows': stdio('C:\\Program Files\\nodejs\\node.exe', ['C:\\Users\\A\\.portico\\bridge.mjs']),
    'by that of a share': stdio('node', ['\\\\wsl.localhost\\Ubuntu\\home\\a\\.portico\\bridge.mjs']),
    'by the editor’s own program': stdio('/usr/share/code/code', ['/home/a/.portico/bridge.mjs'], {
      ELECTRON_RUN_AS_NODE: '1',
    }),
    'by a variable': stdio('node', ['${userHome}/.portico/bridge.mjs']),
    'by a home in a variable': stdio('node', ['${env:PORTICO_HOME}/bridge.mjs']),
    'by a home of another name': stdio('node', ['/data/portico/bridge.mjs', '--editor']),
    'by a home that the entry names': stdio('node', ['/srv/p/bridge.mjs'], { PORTICO_HOME: '/srv/p' }),
    'through a shell': stdio('sh', ['-c', 'exec node "$HOME/.portico/bridge.mjs" --gateway']),
    'through cmd': stdio('cmd', ['/c', 'node', '%USERPROFILE%\\.portico\\bridge.mjs']),
    'by the bundle': stdio('node', ['/opt/portico/dist/bridge.js']),
    'by the bundle of an installed extension': stdio('node', [
      '/h/.vscode/extensions/portico-mcp.portico-0.1.0/dist/bridge.js',
    ]),
    'by the address of this window': remote('http://127.0.0.1:4711/editor'),
    'by another name of it': remote('http://localhost:4711/gateway'),
    'by its IPv6 address': remote('http://[::1]:4711/mcp'),
    'by an address of the loopback': remote('http://127.0.0.2:4711/'),
    'by an IPv4 address in IPv6': remote('http://[::ffff:127.0.0.1]:4711/'),
    'by an address without a slash at its end': remote('http://127.0.0.1:4711'),
    'by the address of another window': remote('http://127.0.0.1:9999/editor', `Bearer ${token}`),
    'by the gateway of another window': remote('http://localhost:9999/gateway/', `bearer  ${token}`),
    'through a proxy on stdio': stdio('npx', ['-y', 'mcp-remote', 'http://127.0.0.1:4711/editor']),
    'through a proxy to another window': stdio('npx', [
      'mcp-remote',
      'http://127.0.0.1:9999/gateway',
      '--header',
      `Authorization: Bearer ${token}`,
    ]),
    'by its socket': remote('unix:///run/user/1000/portico/ab12.sock#/gateway'),
    'by its pipe': remote('pipe:////./pipe/portico-ab12#/editor'),
  };
  for (const [how, launch] of Object.entries(leading)) {
    it(how, () => assert.equal(leadsToPortico(launch, own), true));
  }
});

describe('an entry does not lead back to Portico', () => {
  const others: Readonly<Record<string, Launch>> = {
    'with a bridge of somebody else': stdio('node', ['/srv/other/bridge.mjs', '--gateway']),
    'with a name that ends the same': stdio('node', ['/home/a/my.portico/bridge.mjs']),
    'with a file in the home of Portico': stdio('node', ['/home/a/.portico/server.mjs']),
    'with the home of Portico as an argument': stdio('server-filesystem', ['/home/a/.portico']),
    'with a server that lies in a folder called portico': stdio('node', ['/src/portico/server.js']),
    'at another port': remote('http://127.0.0.1:4712/editor'),
    'at a gateway with a token of another kind': remote('http://127.0.0.1:9999/gateway', 'Bearer short'),
    'at another path with such a token': remote('http://127.0.0.1:9999/mcp', `Bearer ${token}`),
    'on another machine': remote('https://example.com/gateway', `Bearer ${token}`),
    'on another machine at the same port': remote('http://10.0.0.1:4711/editor'),
    'with a URL that is none': remote('${input:address}'),
    'with a Windows path, which parses as a URL': stdio('c:/tools/server.exe', ['--root', 'd:/work']),
  };
  for (const [how, launch] of Object.entries(others)) {
    it(how, () => assert.equal(leadsToPortico(launch, own), false));
  }
});
