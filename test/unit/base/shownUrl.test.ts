import { strictEqual } from 'node:assert/strict';
import { shownUrl } from '../../../src/base/shownUrl';

describe('shown URL', () => {
  const shown: Readonly<Record<string, string>> = {
    'https://ann:s3cret@example.com/mcp?a=b@c': 'https://ann:•••@example.com/mcp?a=b@c',
    'HTTP://:p@x@[::1]:80/': 'HTTP://:•••@[::1]:80/',
    'https://ann@example.com/': 'https://ann@example.com/',
    'https://example.com:8080/@x:y@z': 'https://example.com:8080/@x:y@z',
    'https://${input:user}:${input:password}@example.com/': 'https://${input:user}:•••@example.com/',
    'not an address': 'not an address',
  };
  for (const [url, text] of Object.entries(shown)) {
    it(`${url} is shown as ${text}`, () => {
      strictEqual(shownUrl(url), text);
    });
  }
});
