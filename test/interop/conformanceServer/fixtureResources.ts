import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import { PNG } from './fixtureTypes';

const texts: Readonly<Record<string, string>> = {
  'test://static-text': 'This is the content of the static text resource.',
  'test://watched-resource': 'Watched resource content',
};

export function addFixtureResources(server: Server): void {
  server.setRequestHandler('resources/list', async () => ({
    resources: [
      ...Object.keys(texts).map((uri) => ({ uri, name: uri.slice('test://'.length), mimeType: 'text/plain' })),
      { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
    ],
  }));
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const text = texts[uri];
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (text !== undefined) {
      return { contents: [{ uri, mimeType: 'text/plain', text }] };
    }
    if (uri === 'test://static-binary') {
      return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] };
    }
    if (id !== undefined) {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return { contents: [{ uri, mimeType: 'application/json', text: data }] };
    }
    throw new ResourceNotFoundError(uri);
  });
}
