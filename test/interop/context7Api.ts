import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands in for the service behind context7, so that its tools can be called without a network. */
export class Context7Api {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** Every search finds one library with this title. */
  static async start(title: string): Promise<Context7Api> {
    const result = { id: '/found/library', title, description: 'Stands in', totalSnippets: 1, trustScore: 9 };
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
      response.end(JSON.stringify({ results: [result] }));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new Context7Api(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}
