import { fileName } from './fileName';
import { endingsOf, hasViewer } from './mimeTypes';

export interface NamedResource {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  /** Whether it is known to be text. */
  readonly text?: boolean;
}

/**
 * The name of a resource's document: the end of its URI, with an ending that gives the language by the MIME type, where
 * that says something, otherwise by the URI itself. It hangs on nothing else, so that all who open a resource meet.
 */
export function documentName({ uri, mimeType, text = false }: NamedResource): string {
  const name = fileName(lastSegment(uri));
  const wanted = endingsOf(mimeType);
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const typed = wanted[0] === undefined || wanted.includes(ending) ? name : `${name}.${wanted[0]}`;
  if (text && hasViewer(typed)) {
    return fileName(`${typed}.txt`);
  }
  // What a notebook puts out may run as script when it is opened; its text cannot.
  return fileName(/\.ipynb$/i.test(typed) ? `${typed}.json` : typed);
}

function lastSegment(uri: string): string {
  const path = uri.replace(/[?#].*$/s, '');
  const segment = path.split('/').findLast((one) => one !== '') ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    // A URI is whatever the server says; not every percent sign codes something.
    return segment;
  }
}
