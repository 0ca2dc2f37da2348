import type { JSONSchema } from 'vscode-json-languageservice';
import type { SourceKind } from '../core/config/configTypes';

const text = (markdownDescription: string): JSONSchema => ({ type: 'string', markdownDescription });
const plain = { type: ['string', 'number', 'boolean', 'null'] } satisfies JSONSchema;

const entry: JSONSchema = {
  type: 'object',
  markdownDescription: 'One MCP server. Its name is the key.',
  properties: {
    type: {
      type: 'string',
      markdownDescription: 'How the server is reached. Left out, `command` means stdio and `url` means http.',
    },
    command: text('The program that starts the server. It is run as it stands, without a shell.'),
    args: {
      type: 'array',
      markdownDescription:
        'Arguments of the program, one text each. Variables such as `${workspaceFolder}` are filled in.',
      items: { type: ['string', 'number', 'boolean'] },
    },
    env: {
      type: 'object',
      markdownDescription: 'Environment variables, added to those that the editor has. `null` takes one out.',
      additionalProperties: plain,
    },
    envFile: text('A file of `NAME=value` lines. What `env` says wins over it.'),
    cwd: text('The working directory; the workspace folder where it is left out.'),
    url: text('The address of a server that runs already: `https://…`.'),
    headers: {
      type: 'object',
      markdownDescription: 'HTTP headers that every request carries. Keep secrets in `${input:ID}`.',
      additionalProperties: plain,
    },
    auth: {
      type: 'object',
      markdownDescription:
        'The client that is registered at the authorization server of a remote server, where it registers none by itself.',
      properties: {
        clientId: { type: 'string' },
        clientSecret: { type: 'string', markdownDescription: 'Better not written out: `${input:ID}`.' },
        scopes: { type: 'array', items: { type: 'string' } },
        issuer: { type: 'string', markdownDescription: 'The authorization server that the client is for.' },
        grant: { enum: ['authorizationCode', 'clientCredentials'] },
        privateKey: { type: 'string', markdownDescription: 'With `clientCredentials`: PEM (PKCS #8).' },
        algorithm: { type: 'string' },
        identityProvider: {
          type: 'object',
          properties: {
            issuer: { type: 'string' },
            tokenEndpoint: { type: 'string' },
            clientId: { type: 'string' },
            clientSecret: { type: 'string' },
            idToken: { type: 'string' },
          },
          required: ['issuer', 'clientId', 'idToken'],
        },
      },
    },
    disabled: { type: 'boolean', markdownDescription: 'Keeps the server off.' },
    timeout: {
      type: 'number',
      exclusiveMinimum: 0,
      markdownDescription:
        'Seconds that one request may take; above 9999 it is taken for milliseconds, as some other hosts write it. Instead of `portico.advanced.requestTimeout`.',
    },
    startTimeout: {
      type: 'number',
      exclusiveMinimum: 0,
      markdownDescription:
        'Seconds that a whole start may take; above 9999 it is taken for milliseconds. Instead of `portico.advanced.startTimeout`.',
    },
    start: {
      enum: ['onDemand', 'onOpen', 'manual'],
      markdownDescription:
        'When the server starts: at its first use, with the window, or by hand alone. Instead of the setting `portico.start`.',
    },
    inputs: {
      type: 'array',
      markdownDescription: 'Values that are asked for at the first start and kept in the secret store: `${input:ID}`.',
    },
  },
};

const servers: JSONSchema = { type: 'object', additionalProperties: entry };

const inputs: JSONSchema = {
  type: 'array',
  markdownDescription: 'Values that are asked for at the first start and kept in the secret store: `${input:ID}`.',
  items: {
    type: 'object',
    required: ['id', 'type'],
    properties: {
      id: text('The name that `${input:ID}` uses.'),
      type: { enum: ['promptString', 'pickString', 'command'], markdownDescription: 'How the value is asked for.' },
      description: text('What the person reads.'),
      password: { type: 'boolean', markdownDescription: 'Hides what is typed.' },
      default: text('The value that the box begins with.'),
      options: { type: 'array', markdownDescription: 'What can be picked.' },
      command: text('The editor command that gives the value.'),
    },
  },
};

/** The schema of each kind of file; what is not Portico's in a settings file is left to the editor. */
export function configSchema(kind: SourceKind): JSONSchema {
  switch (kind) {
    case 'vscodeMcpJson':
    case 'userMcpJson':
      return { type: 'object', properties: { servers, inputs } };
    case 'settings': {
      const properties = { 'portico.servers': servers };
      return { type: 'object', properties: { ...properties, settings: { type: 'object', properties } } };
    }
    case 'mcpJson':
    case 'file':
      return { type: 'object', properties: { mcpServers: servers } };
  }
}
