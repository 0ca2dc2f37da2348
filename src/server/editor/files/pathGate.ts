import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { computed, type ReadonlySignal } from '@preact/signals-core';
import { PorticoError } from '../../../base/errors';
import type { EditorServerSettings, WorkspaceFolderInfo } from '../editorTypes';
import { fileUri, foldCase, pathsOf, quoted, readFileName, segmentsBelow } from './fileNames';
import { missing, outside, secret } from './gateErrors';
import { deepestRealPath, realPathIfAny } from './realPaths';
import { SecretFiles } from './secretFiles';

/** A path that agents may be given, read or write, as it was when it was looked at. */
export interface GatedPath {
  /** The one form in which agents and the editor name it. */
  readonly uri: string;
  /** Below its folder, links not resolved. */
  readonly path: string;
  /** Links resolved, as far as the path is there. */
  readonly realPath: string;
  readonly folder: WorkspaceFolderInfo;
  /** From the folder to it; none where it is the folder. */
  readonly segments: readonly string[];
  /** Absent where nothing is there. */
  readonly kind: 'file' | 'directory' | undefined;
}

export interface GateSources {
  readonly folders: ReadonlySignal<readonly WorkspaceFolderInfo[]>;
  readonly settings: ReadonlySignal<Pick<EditorServerSettings, 'secrets' | 'allowedDirectories'>>;
}

interface Root {
  readonly folder: WorkspaceFolderInfo;
  readonly realPath: string;
}

/** How often a file is opened again that is replaced meanwhile, as editors do when they save. */
const OPENINGS = 3;

/**
 * The one way from a name to a file, for reading, for writing and for what is told of files. What it lets pass lies in a
 * workspace folder by its real path and is no secret. All its refusals are RESOURCE_UNKNOWN and say nothing of what there is
 * outside.
 */
export class PathGate {
  private readonly secrets = computed(() => new SecretFiles(this.sources.settings.value.secrets));

  constructor(
    private readonly sources: GateSources,
    readonly platform: NodeJS.Platform = process.platform,
  ) {}

  /**
   * Takes a file URI, a whole path, or a path relative to a folder: to `folder` (its name, path or URI), to the folder that
   * its first segment names, or to the only folder that has it. What is not there passes too.
   */
  async resolve(name: string, folder?: string): Promise<GatedPath> {
    const read = readFileName(name, this.platform);
    const folders = this.sources.folders.value;
    if (folders.length === 0) {
      throw new PorticoError('RESOURCE_UNKNOWN', 'No folder is open in the editor, so there are no files to give.');
    }
    if (read.kind === 'absolute') {
      return this.pass(name, read.path);
    }
    if (folder !== undefined) {
      return this.passBelow(name, this.folderOf(folder), read.segments);
    }
    const [only, ...others] = folders;
    return only && others.length === 0
      ? this.passBelow(name, only, read.segments)
      : this.resolveInOne(name, read.segments);
  }

  /** As `resolve`, but only what is there and a file. */
  async file(name: string, folder?: string): Promise<GatedPath> {
    const found = await this.existing(name, folder);
    if (found.kind === 'directory') {
      throw new PorticoError(
        'RESOURCE_UNKNOWN',
        `${this.label(found)} is a directory; list_files lists what it holds.`,
      );
    }
    return found;
  }

  /** As `resolve`, but only what is there and a directory. */
  async directory(name: string, folder?: string): Promise<GatedPath> {
    const found = await this.existing(name, folder);
    if (found.kind === 'file') {
      throw new PorticoError('RESOURCE_UNKNOWN', `${this.label(found)} is a file, not a directory.`);
    }
    return found;
  }

  /** As `resolve`, but only what is there. */
  async existing(name: string, folder?: string): Promise<GatedPath> {
    const found = await this.resolve(name, folder);
    if (found.kind === undefined) {
      throw missing(this.label(found));
    }
    return found;
  }

  /** Whether agents may be told of what the editor names, such as the place of a definition. */
  async isInside(name: string): Promise<boolean> {
    return (await this.passing(name)) !== undefined;
  }

  /** As `resolve`, with nothing for what does not pass. */
  async passing(name: string): Promise<GatedPath | undefined> {
    try {
      return await this.resolve(name);
    } catch (error) {
      if (PorticoError.is(error)) {
        return undefined;
      }
      throw error;
    }
  }

  /** Opens a file for reading; what is open then is what was let pass, whatever happened to its path meanwhile. */
  async open(file: GatedPath): Promise<FileHandle> {
    for (let opening = 1; opening <= OPENINGS; opening += 1) {
      const handle = await this.openOnce(file);
      if (handle !== undefined) {
        return handle;
      }
    }
    throw outside(this.label(file), this.sources.folders.value);
  }

  /** How agents are told of a path: from its folder on, with the folder's name before it where there are several. */
  label({ folder, segments, path }: Pick<GatedPath, 'folder' | 'segments' | 'path'>): string {
    const folders = this.sources.folders.value;
    const relative = segments.join('/');
    if (folders.length <= 1) {
      return relative === '' ? '.' : relative;
    }
    const isOnly = folders.filter(({ name }) => name === folder.name).length === 1;
    return isOnly ? [folder.name, ...segments].join('/') : path;
  }

  /** Whether the list of secrets has it: for lists, whose entries need no look at the disk. */
  isSecret(segments: readonly string[]): boolean {
    return this.secrets.value.has(segments);
  }

  /** A path without its folder, in a workspace of several: what is there decides, not the order of the folders. */
  private async resolveInOne(name: string, segments: readonly string[]): Promise<GatedPath> {
    const folders = this.sources.folders.value;
    const names = folders.map((folder) => folder.name).join(', ');
    const [first = '', ...rest] = segments;
    const [named, ...alike] = folders.filter(
      (folder) => foldCase(folder.name, this.platform) === foldCase(first, this.platform),
    );
    const meant = named && alike.length === 0 ? await this.passBelow(name, named, rest) : undefined;
    if (meant?.kind !== undefined) {
      return meant;
    }
    const tries = await Promise.allSettled(folders.map((folder) => this.passBelow(name, folder, segments)));
    const passed = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const [there, ...more] = passed.filter(({ kind }) => kind !== undefined);
    if (more.length > 0) {
      const message = `${quoted(name)} is in several folders of the workspace. Put the name of one before it: ${names}.`;
      throw new PorticoError('ARGUMENTS_INVALID', message);
    }
    const found = there ?? meant;
    if (found !== undefined) {
      return found;
    }
    const refusal = tries.find((each) => each.status === 'rejected');
    if (refusal && passed.length === 0) {
      throw refusal.reason;
    }
    const message = `${quoted(name)} is in no folder of the workspace. A new file needs the name of one before it: ${names}.`;
    throw new PorticoError('RESOURCE_UNKNOWN', message);
  }

  private passBelow(name: string, folder: WorkspaceFolderInfo, segments: readonly string[]): Promise<GatedPath> {
    return this.pass(name, pathsOf(this.platform).join(folder.path, ...segments));
  }

  private async pass(name: string, path: string): Promise<GatedPath> {
    const named = this.deepest(
      this.sources.folders.value.map((folder) => ({ folder, realPath: folder.path })),
      path,
    );
    if (named && this.secrets.value.has(named.segments)) {
      throw secret(name);
    }
    const [roots, realPath] = await Promise.all([this.roots(), deepestRealPath(path, this.platform)]);
    const real = realPath === undefined ? undefined : this.deepest(roots, realPath);
    const linked = realPath !== undefined && named && !real ? await this.allowedSegments(realPath) : undefined;
    const held = real?.segments ?? linked;
    if (realPath === undefined || held === undefined) {
      throw outside(name, this.sources.folders.value);
    }
    if (this.secrets.value.has(held)) {
      throw secret(name);
    }
    const folder = (named ?? real)?.folder;
    if (folder === undefined) {
      throw outside(name, this.sources.folders.value);
    }
    const segments = this.spelledAsOnDisk(named?.segments, real?.segments);
    const whole = pathsOf(this.platform).join(folder.path, ...segments);
    return {
      uri: fileUri(whole, this.platform),
      path: whole,
      realPath,
      folder,
      segments,
      kind: await this.kindOf(name, realPath),
    };
  }

  private async openOnce(file: GatedPath): Promise<FileHandle | undefined> {
    let handle: FileHandle;
    try {
      // Windows has neither flag, and no pipes among its files.
      const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
      handle = await open(file.realPath, flags);
    } catch (error) {
      if (isCode(error, 'EACCES', 'EPERM', 'EBUSY')) {
        throw new PorticoError('RESOURCE_FAILED', `${this.label(file)} cannot be opened: ${errorCode(error)}.`, {
          cause: error,
        });
      }
      throw missing(this.label(file));
    }
    try {
      const opened = await handle.stat({ bigint: true });
      const [realPath, there] = await Promise.all([realpath(file.realPath), stat(file.realPath, { bigint: true })]);
      const same = opened.dev === there.dev && opened.ino === there.ino && realPath === file.realPath;
      if (same && opened.isFile()) {
        return handle;
      }
    } catch (error) {
      if (!isCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) {
        await handle.close();
        throw error;
      }
    }
    await handle.close();
    return undefined;
  }

  private folderOf(name: string): WorkspaceFolderInfo {
    const folders = this.sources.folders.value;
    const named = folders.filter((folder) => folder.name === name);
    const [only] = named.length > 0 ? named : folders.filter(({ path, uri }) => this.isSame(name, path, uri));
    if (only === undefined || named.length > 1) {
      throw new PorticoError(
        'ARGUMENTS_INVALID',
        `${quoted(name)} is not one folder of the workspace. Its folders are: ${folders.map(({ path }) => path).join(', ')}.`,
      );
    }
    return only;
  }

  private isSame(name: string, path: string, uri: string): boolean {
    if (name === uri) {
      return true;
    }
    const read = readFileName(name, this.platform);
    return read.kind === 'absolute' && segmentsBelow(path, read.path, this.platform)?.length === 0;
  }

  /** The innermost folder that has the path. */
  private deepest(
    roots: readonly Root[],
    path: string,
  ): { readonly folder: WorkspaceFolderInfo; readonly segments: readonly string[] } | undefined {
    return roots
      .flatMap(({ folder, realPath }) => {
        const segments = segmentsBelow(realPath, path, this.platform);
        return segments ? [{ folder, segments }] : [];
      })
      .sort((a, b) => a.segments.length - b.segments.length)[0];
  }

  private async roots(): Promise<readonly Root[]> {
    const all = await Promise.all(
      this.sources.folders.value.map(async (folder) => ({ folder, realPath: await realPathIfAny(folder.path) })),
    );
    return all.flatMap(({ folder, realPath }) => (realPath === undefined ? [] : [{ folder, realPath }]));
  }

  /** From the directory that the person allows links to, with its own name, to the path. */
  private async allowedSegments(realPath: string): Promise<readonly string[] | undefined> {
    for (const directory of this.sources.settings.value.allowedDirectories) {
      const real = await realPathIfAny(directory);
      const segments = real === undefined ? undefined : segmentsBelow(real, realPath, this.platform);
      if (segments !== undefined) {
        return [pathsOf(this.platform).basename(directory), ...segments];
      }
    }
    return undefined;
  }

  /** Where both ways differ in case alone, the name is the one on disk. */
  private spelledAsOnDisk(named: readonly string[] = [], real: readonly string[] | undefined): readonly string[] {
    const fold = (segments: readonly string[]): string => foldCase(segments.join('/'), this.platform);
    return real !== undefined && (named.length === 0 || fold(named) === fold(real)) ? real : named;
  }

  private async kindOf(name: string, realPath: string): Promise<GatedPath['kind']> {
    try {
      const found = await stat(realPath);
      if (!found.isFile() && !found.isDirectory()) {
        throw new PorticoError('RESOURCE_UNKNOWN', `${quoted(name)} is neither a file nor a directory.`);
      }
      return found.isFile() ? 'file' : 'directory';
    } catch (error) {
      if (PorticoError.is(error)) {
        throw error;
      }
      return undefined;
    }
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(errorCode(error));
}
