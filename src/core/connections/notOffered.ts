import { PorticoError } from '../../base/errors';

/** Why a server gets no answer to what it wants of this host. */
export function notOffered(server: string, method: string): PorticoError {
  if (method === 'sampling/createMessage') {
    return new PorticoError(
      'NO_MODEL',
      `"${server}" wants a language model, and there is none here: Portico gives servers the models of the editor, and the command line has none. Use it in the editor, by Run Tool… or in a chat.`,
      { server },
    );
  }
  return new PorticoError('NOT_SUPPORTED', `"${server}" wanted ${method}, which Portico does not offer it.`, {
    server,
  });
}
