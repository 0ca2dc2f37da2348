import { commands, type Uri } from 'vscode';
import { toResourceAddress } from './resourceAddress';

/** Opens the chat with files attached, and with a text in its box that the person sends themselves. */
export async function openChat(files: readonly Uri[], query?: string): Promise<void> {
  await commands.executeCommand('workbench.action.chat.open', {
    attachFiles: files.map(attachable),
    ...(query === undefined ? {} : { query, isPartialQuery: true }),
  });
}

/**
 * The editor drops pictures that are no files on disk, without a word. A resource is known by its query, so that it may be
 * named like something else, and `@portico` gets its picture.
 */
function attachable(uri: Uri): Uri {
  return toResourceAddress(uri) && /\.(png|jpe?g|gif|bmp|webp)$/i.test(uri.path)
    ? uri.with({ path: `${uri.path} (picture)` })
    : uri;
}
