import { parseInSlices } from '../../base/slicedJson';
import { TimeSlices } from '../../base/timeSlices';
import { BodyShape } from './bodyShape';

/** A longer body is parsed in slices, in characters. */
const longBody = 262_144;

/** What a body says, or what is wrong with it: a code of JSON-RPC, and a sentence. */
export type ParsedBody =
  | { readonly parsed: unknown; readonly fault?: undefined }
  | { readonly fault: { readonly code: number; readonly message: string } };

/** Parses the JSON of a body without holding the event loop, however large it is; a short one at once. */
export function parseBody(text: string): ParsedBody | Promise<ParsedBody> {
  if (text.length > longBody) {
    return parseLongBody(text);
  }
  const fault = new BodyShape(text).step();
  if (fault) {
    return invalid(fault);
  }
  try {
    return { parsed: JSON.parse(text) as unknown };
  } catch {
    return notJson;
  }
}

async function parseLongBody(text: string): Promise<ParsedBody> {
  const slices = new TimeSlices();
  const shape = new BodyShape(text);
  let fault = shape.step();
  for (; fault === undefined; fault = shape.step()) {
    if (slices.over) {
      await slices.next();
    }
  }
  if (fault !== '') {
    return invalid(fault);
  }
  try {
    return { parsed: await parseInSlices(Buffer.from(text), { levels: Infinity, standIn: null }, slices) };
  } catch {
    return notJson;
  }
}

/** The syntax error's text would repeat what was sent; the code says enough. */
const notJson: ParsedBody = { fault: { code: -32_700, message: 'Parse error: the body is not JSON.' } };

function invalid(fault: string): ParsedBody {
  return { fault: { code: -32_600, message: `Invalid request: ${fault}.` } };
}
