import { isObject } from '../../base/jsonObject';
import { type Fields, withoutMistyped } from './readEntries';

/** An `initialize` result in the types that the SDK insists on: what is missing or mistyped is left out, not refused. */
export function readInitialize(result: Fields, server: string): Fields {
  const kept = withoutMistyped(result, { instructions: 'string', _meta: 'object' });
  const { capabilities, serverInfo } = result;
  return {
    ...kept,
    capabilities: readCapabilities(isObject(capabilities) ? capabilities : {}),
    serverInfo: readInfo(isObject(serverInfo) ? serverInfo : {}, server),
  };
}

function readCapabilities(capabilities: Fields): Fields {
  return Object.fromEntries(
    Object.entries(capabilities).flatMap(([name, value]) => {
      if (value === true) {
        return [[name, {}]];
      }
      return isObject(value) ? [[name, readCapability(name, value)]] : [];
    }),
  );
}

function readCapability(name: string, capability: Fields): Fields {
  const keyed = name === 'experimental' || name === 'extensions';
  return Object.fromEntries(
    Object.entries(capability).filter(([member, value]) => {
      if (keyed) {
        return isObject(value);
      }
      return (member !== 'listChanged' && member !== 'subscribe') || typeof value === 'boolean';
    }),
  );
}

function readInfo(info: Fields, server: string): Fields {
  const { name, version } = info;
  const kept = withoutMistyped(info, { title: 'string', description: 'string', websiteUrl: 'string', icons: 'array' });
  return {
    ...kept,
    name: typeof name === 'string' ? name : server,
    version: typeof version === 'string' || typeof version === 'number' ? String(version) : '',
  };
}
