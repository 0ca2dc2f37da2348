import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** An authorization server that is not ours (oidc-provider), on loopback, for one protected resource. */
export class Identity {
  /** What was posted to its endpoints: path and grant. */
  readonly seen: string[] = [];
  /** Answers nothing at its token endpoint any more. */
  isDown = false;
  private constructor(
    readonly provider: Provider,
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async listen(resource: () => string): Promise<Identity> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new Provider(issuer, {
      scopes: ['openid', 'offline_access', 'mcp:read', 'mcp:write'],
      claims: { openid: ['sub'] },
      rotateRefreshToken: true,
      issueRefreshToken: async () => true,
      ttl: { AccessToken: 3_600, RefreshToken: 86_400, Grant: 86_400, Session: 86_400, Interaction: 3_600 },
      features: {
        registration: { enabled: true },
        revocation: { enabled: true },
        devInteractions: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: async (_context: unknown, indicator: string) => {
            if (indicator !== resource()) {
              throw new Error('unknown resource');
            }
            return {
              scope: 'mcp:read mcp:write',
              audience: indicator,
              accessTokenFormat: 'opaque',
              accessTokenTTL: 3_600,
            };
          },
          useGrantedResource: async () => true,
        },
      },
    });
    const identity = new Identity(provider, server, issuer);
    const handle = provider.callback();
    server.on('request', (request, response) => {
      const { method = '', url = '' } = request;
      const [path = ''] = url.split('?');
      if (method === 'POST') {
        identity.seen.push(path);
      }
      if (identity.isDown && path === '/token') {
        request.socket.destroy();
        return;
      }
      void handle(request, response);
    });
    return identity;
  }

  /** Whether this is a token for the resource, and what for. */
  async scopesOf(token: string, resource: string): Promise<readonly string[] | undefined> {
    const found = await this.provider.AccessToken.find(token);
    return found?.aud === resource ? (found.scope ?? '').split(' ') : undefined;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
