import { type Stats, statSync } from 'node:fs';
import { computed, type ReadonlySignal } from '@preact/signals-core';
import { PorticoError } from '../../../base/errors';
import { quoted } from '../../../base/quoted';
import type { EditorServerSettings, WorkspaceFolderInfo } from '../editorTypes';
import { fileUri, foldCase, pathsOf, readFileName, segmentsBelow } from './fileNames';
import { missing, outside, secret } from './gateErrors';
import { LocalFiles } from './localFiles';
import { OpenedFile } from './openedFile';
import { deepestRealPath, RealPaths } from './realPaths';
import { SecretFiles } from './secretFiles';

/** A path that agents may be given, read or write, as it was when it was looked at. */
export interface GatedPath {
  /** The one form in which agents and the editor name it. */
  readonly uri: string;
  /** The whole path, links not resolved. */
  readonly path: string;
  /** Links resolved, as far as the path is there. */
  readonly realPath: string;
  readonly folder: WorkspaceFolderInfo;
  /** From the folder to it; none where it is the folder. */
  readonly segments: readonly string[];
  /** The same by the real path: from the folder, or the directory that links may lead to, with its own name. */
  readonly realSegments: readonly string[];
  /** Absent where nothing is there. */
  readonly kind: 'file' | 'directory' | undefined;
}

/** A path by its folder, as it is named. */
export type NamedPath = Pick<GatedPath, 'folder' | 'segments'>;

/** What a name led to; open where it is a file that could be opened at once. Whoever asked for it closes it. */
export interface FoundFile {
  readonly place: GatedPath;
  readonly opened?: OpenedFile;
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
  private readonly folderPaths = new RealPaths();
  private readonly allowedPaths = new RealPaths();
  private readonly local: LocalFiles;

  constructor(
    private readonly sources: GateSources,
    readonly platform: NodeJS.Platform = process.platform,
  ) {
    this.local = new LocalFiles(platform);
  }

  /**
   * Takes a file URI, a whole path, or a path relative to a folder: to `folder` (its name, path or URI), to the folder that
   * its first segment names, or to the only folder that has it. What is not there passes too.
   */
  async resolve(name: string, folder?: string): Promise<GatedPath> {
    return this.resolveLocated(name, this.locate(name, folder));
  }

  /** As `resolve`, with a file that can be opened open already. */
  async resolveOpen(name: string, folder?: string): Promise<FoundFile> {
    const located = this.locate(name, folder);
    const local = typeof located === 'string' ? this.openLocal(located) : undefined;
    return local ?? this.opened(await this.resolveLocated(name, located));
  }

  private async opened(place: GatedPath): Promise<FoundFile> {
    if (place.kind !== 'file') {
      return { place };
    }
    try {
      return { place, opened: await this.open(place) };
    } catch (error) {
      if (PorticoError.is(error)) {
        // Who goes on to read it, and has no unsaved text of it, is told why.
        return { place };
      }
      throw error;
    }
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

  /**
   * Opens a file for reading; what is open then is what was let pass, whatever happened to its path meanwhile. Rejects with
   * RESOURCE_FAILED where the system does not let it.
   */
  async open(file: GatedPath): Promise<OpenedFile> {
    for (let opening = 1; opening <= OPENINGS; opening += 1) {
      const opened = await this.tryToOpen(file);
      if (opened !== undefined) {
        return opened;
      }
    }
    const label = this.label(file);
    const { kind } = await this.resolve(file.path);
    throw kind === 'file'
      ? new PorticoError('RESOURCE_FAILED', `${label} changed each time that it was opened. Read it again.`)
      : missing(label);
  }

  /** How agents are told of a path, and may name it: from its folder on, with the folder's name before it where there are several. */
  label({ folder, segments }: NamedPath): string {
    const folders = this.sources.folders.value;
    const relative = segments.join('/');
    if (folders.length <= 1) {
      return relative === '' ? '.' : relative;
    }
    return this.nameOf(folder) === folder.name ? [folder.name, ...segments].join('/') : this.below(folder, segments);
  }

  /** What tells a folder from the others: its name, or its path where another has the same name. */
  private nameOf(folder: WorkspaceFolderInfo): string {
    const alike = this.sources.folders.value.filter(({ name }) => name === folder.name);
    return alike.length === 1 ? folder.name : folder.path;
  }

  /** Where a folder of the workspace leads; nothing where it is not there. */
  async realPathOf(path: string): Promise<string | undefined> {
    return (await this.roots()).find(({ folder }) => folder.path === path)?.realPath;
  }

  /** Whether the list of secrets has it: for lists, whose entries need no look at the disk. */
  isSecret(segments: readonly string[]): boolean {
    return this.secrets.value.has(segments);
  }

  /** The innermost folder that has a whole path by its name alone, for what needs no look at the disk; none for secrets. */
  named(path: string): NamedPath | undefined {
    const named = this.byName(path);
    return named && this.isSecret(named.segments) ? undefined : named;
  }

  private resolveLocated(name: string, located: string | readonly string[]): Promise<GatedPath> {
    return typeof located === 'string' ? this.pass(name, located) : this.resolveInOne(name, located);
  }

  /** A path without its folder, in a workspace of several: what is there decides, not the order of the folders. */
  private async resolveInOne(name: string, segments: readonly string[]): Promise<GatedPath> {
    const folders = this.sources.folders.value;
    const names = folders.map((folder) => this.nameOf(folder)).join(', ');
    const [first = '', ...rest] = segments;
    const [named, ...alike] = folders.filter(
      (folder) => foldCase(folder.name, this.platform) === foldCase(first, this.platform),
    );
    const meant = named && alike.length === 0 ? await this.pass(name, this.below(named, rest)) : undefined;
    if (meant?.kind !== undefined) {
      return meant;
    }
    const tries = await Promise.allSettled(folders.map((folder) => this.pass(name, this.below(folder, segments))));
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

  /** The path that a name means, or its segments where it depends on what is there: a path without its folder, of several. */
  private locate(name: string, folder: string | undefined): string | readonly string[] {
    const read = readFileName(name, this.platform);
    const folders = this.sources.folders.value;
    if (folders.length === 0) {
      throw new PorticoError('RESOURCE_UNKNOWN', 'No folder is open in the editor, so there are no files to give.');
    }
    if (read.kind === 'absolute') {
      return read.path;
    }
    const [only, ...others] = folder === undefined ? folders : [this.folderOf(folder)];
    return only && others.length === 0 ? this.below(only, read.segments) : read.segments;
  }

  private below(folder: WorkspaceFolderInfo, segments: readonly string[]): string {
    return pathsOf(this.platform).join(folder.path, ...segments);
  }

  /** What a look at the open file alone shows to pass: it has no link on its way. Nothing where it takes more. */
  private openLocal(path: string): FoundFile | undefined {
    const named = this.named(path);
    const opened = named && this.local.open(path);
    if (named === undefined || opened === undefined) {
      return undefined;
    }
    const { folder, segments } = named;
    const uri = fileUri(path, this.platform);
    const place = { uri, path, realPath: path, folder, segments, realSegments: segments, kind: 'file' } as const;
    return { place, opened };
  }

  private async pass(name: string, path: string): Promise<GatedPath> {
    const named = this.byName(path);
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
    const found = fileOrDirectory(name, realPath);
    if (found?.isFile() && whole === realPath && real) {
      this.local.see(realPath, found.dev);
    }
    return {
      uri: fileUri(whole, this.platform),
      path: whole,
      realPath,
      folder,
      segments,
      realSegments: held,
      kind: found && (found.isFile() ? 'file' : 'directory'),
    };
  }

  /** Nothing where something else was open then. */
  private async tryToOpen(file: GatedPath): Promise<OpenedFile | undefined> {
    let opened: OpenedFile | undefined;
    try {
      opened = await OpenedFile.open(file.realPath);
      if (opened.isFile && (await opened.isAt(file.realPath))) {
        return opened;
      }
    } catch (error) {
      if (isCode(error, 'ENOENT', 'ENOTDIR')) {
        opened?.close();
        throw missing(this.label(file));
      }
      // A link, where none was when it was looked at.
      if (!isCode(error, 'ELOOP')) {
        opened?.close();
        const message = `${this.label(file)} cannot be opened: ${errorCode(error)}.`;
        throw new PorticoError('RESOURCE_FAILED', message, { cause: error });
      }
    }
    opened?.close();
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

  private byName(path: string): NamedPath | undefined {
    const roots = this.sources.folders.value.map((folder) => ({ folder, realPath: folder.path }));
    return this.deepest(roots, path);
  }

  /** The innermost folder that has the path. */
  private deepest(roots: readonly Root[], path: string): NamedPath | undefined {
    return roots
      .flatMap(({ folder, realPath }) => {
        const segments = segmentsBelow(realPath, path, this.platform);
        return segments ? [{ folder, segments }] : [];
      })
      .sort((a, b) => a.segments.length - b.segments.length)[0];
  }

  private async roots(): Promise<readonly Root[]> {
    const folders = this.sources.folders.value;
    const realPaths = await this.folderPaths.of(folders.map(({ path }) => path));
    return folders.flatMap((folder, index) => {
      const realPath = realPaths[index];
      return realPath === undefined ? [] : [{ folder, realPath }];
    });
  }

  /** From the directory that the person allows links to, with its own name, to the path. */
  private async allowedSegments(realPath: string): Promise<readonly string[] | undefined> {
    const { allowedDirectories } = this.sources.settings.value;
    const realPaths = await this.allowedPaths.of(allowedDirectories);
    for (const [index, directory] of allowedDirectories.entries()) {
      const real = realPaths[index];
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
}

/** Without waiting, as the system has just found the real path; opening a pipe or device would be more than looking. */
function fileOrDirectory(name: string, realPath: string): Stats | undefined {
  let found: Stats | undefined;
  try {
    found = statSync(realPath, { throwIfNoEntry: false });
  } catch {
    // Not to be seen, which is the same to agents as not there.
  }
  if (found !== undefined && !found.isFile() && !found.isDirectory()) {
    throw new PorticoError('RESOURCE_UNKNOWN', `${quoted(name)} is neither a file nor a directory.`);
  }
  return found;
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(errorCode(error));
}
