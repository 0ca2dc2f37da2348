import { deepEqual, equal } from 'node:assert/strict';
import { expand, variables } from '../../../../src/core/catalog/uriTemplates';
import { templateFields, templateProblem, templateValues } from '../../../../src/vscode/resources/templateArguments';

function fields(template: string): string[] {
  return templateFields(template, variables(template)).map(
    ({ name, required, description }) => `${name}${required ? '*' : ''}${description ? ` (${description})` : ''}`,
  );
}

function expanded(template: string, typed: Readonly<Record<string, string>>): string {
  return expand(template, templateValues(variables(template), typed));
}

describe('arguments of a template', () => {
  it('are required where the URI would have a hole without them', () => {
    deepEqual(fields('db://{schema}/{+path}{.ending}{/more}{;mode}{?q,limit}{&x}{#part}'), [
      'schema*',
      'path*',
      'ending',
      'more',
      'mode',
      'q',
      'limit',
      'x',
      'part',
    ]);
    deepEqual(fields('x://{a,b}{?a}'), ['a*', 'b*']);
  });

  it('say how several values are given, and how much of one is used', () => {
    deepEqual(fields('x://{name:3}{?tags*}'), [
      'name* (the first 3 characters are used)',
      'tags (several values, separated by commas)',
    ]);
  });

  it('are asked for only where the template can be read', () => {
    equal(templateProblem('x://{name}', variables), undefined);
    equal(
      templateProblem('x://{name', variables),
      'The URI template "x://{name" cannot be read: a "{" is never closed. Only the server\'s author can correct it (RFC 6570).',
    );
  });

  it('become a list where the variable explodes, and are absent where they were skipped', () => {
    equal(expanded('x://a{?tags*,q}', { tags: 'red, green ,,', q: 'a,b' }), 'x://a?tags=red&tags=green&q=a%2Cb');
    equal(expanded('x://a{?tags*,q}', {}), 'x://a');
    equal(expanded('x://{constructor}', {}), 'x://');
  });
});
