import { isObject } from '../../../base/jsonObject';
import { nodeAt, parseConfigText, propertiesOf, valueOf } from '../configText';
import { findContainers } from '../containers';
import { readInputs } from '../readInputs';
import type { RecognizedServer } from '../configTypes';
import { nothing, type Reading, recognizedEntry, servers } from './recognized';

/** README JSON: a whole file of any host, a piece of one without its braces, or a single entry. */
export function recognizeJson(text: string): Reading {
  const body = text.trim();
  if (/^(?:\[[^]*\]|null|true|false|-?\d[\d.]*)$/.test(body)) {
    return nothing('This JSON holds no server with a "command" or a "url".');
  }
  if (!/^[{"]|^\/[/*]/.test(body) || !body.includes('{')) {
    return undefined;
  }
  // Pieces copied out of a file begin with a name, and may end with a comma or a brace too many.
  const whole = body.startsWith('"') ? `{${body.replace(/,\s*$/, '')}}` : body;
  const { root, faults } = parseConfigText(whole);
  const value = valueOf(root);
  if (isObject(value) && ['command', 'url', 'httpUrl', 'serverUrl'].some((key) => typeof value[key] === 'string')) {
    return recognizedEntry(value, undefined, readInputs(value['inputs']));
  }
  const found = findContainers(root, 'file');
  const results: RecognizedServer[] = [];
  for (const container of found.containers) {
    const inputs = readInputs(valueOf(container.inputs));
    for (const property of propertiesOf(container.node)) {
      const key = String(property.children?.[0]?.value);
      if (container.skip?.includes(key)) {
        continue;
      }
      const reading = recognizedEntry(
        valueOf(nodeAt(container.node, [key])),
        key,
        inputs.filter(usedIn(property.children?.[1])),
      );
      if (reading?.kind !== 'servers') {
        return reading;
      }
      results.push(...reading.servers);
    }
  }
  if (results.length > 0) {
    return servers(...results);
  }
  const fault = faults[0];
  return nothing(
    fault ? `This is not quite JSON: ${fault.what}.` : 'This JSON holds no server with a "command" or a "url".',
  );
}

function usedIn(node: Parameters<typeof valueOf>[0]): (input: { readonly id: string }) => boolean {
  const text = JSON.stringify(valueOf(node)) ?? '';
  return ({ id }) => text.includes(`\${input:${id}}`);
}
