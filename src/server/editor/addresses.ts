import { fileUri, foldCase, readFileName } from './files/fileNames';

/**
 * By what two URIs are the same file, whatever their encoding and the case of the drive letter; case does not tell files
 * apart on Windows and macOS. For what is no file, and for what cannot be read, the URI itself.
 */
export function uriKey(uri: string, platform: NodeJS.Platform = process.platform): string {
  if (!/^file:/i.test(uri)) {
    return uri;
  }
  try {
    const name = readFileName(uri, platform);
    return name.kind === 'absolute' ? foldCase(fileUri(name.path, platform), platform) : uri;
  } catch {
    // It names no file that could be given: it is equal to itself alone.
    return uri;
  }
}
