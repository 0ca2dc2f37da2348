import { Sequencer } from '../../../../base/sequencer';
import { TimeSlices } from '../../../../base/timeSlices';
import { segmentsBelow } from '../fileNames';
import { SecretFiles } from '../secretFiles';
import { FileList } from './fileList';
import { FolderWalk } from './folderWalk';
import { fuzzyFind } from './fuzzy';
import { listOf } from './listedPaths';
import type { FuzzyParams, FuzzyResult, ListedFiles, WorkspaceSpec } from './workerTypes';

/** The worker's own picture of the workspace. Long work is done in slices: queries are answered meanwhile. */
export class WorkspaceFiles {
  private readonly sequencer = new Sequencer();
  private walks: readonly FolderWalk[] = [];
  private spec: WorkspaceSpec = { folders: [], secrets: [] };
  private listed: ListedFiles | undefined;
  private directories: readonly FileList[] | undefined;
  private walked: Promise<void> = Promise.resolve();
  private isWalked = false;

  configure(spec: WorkspaceSpec): Promise<null> {
    const done = this.sequencer.run(async () => {
      const secrets = new SecretFiles(spec.secrets);
      const walks = spec.folders.map((folder) => new FolderWalk(folder, spec, secrets));
      for (const walk of walks) {
        await inSlices(walk.walk());
        // So that the first completion need not wait for it.
        walk.list.prepare();
      }
      this.walks = walks;
      this.spec = spec;
      this.isWalked = true;
      this.changed();
    });
    this.walked = done;
    return done.then(() => null);
  }

  update(paths: readonly string[]): Promise<boolean> {
    return this.sequencer.run(async () => {
      let changed = false;
      for (const path of paths) {
        for (const [index, { path: folder }] of this.spec.folders.entries()) {
          const below = segmentsBelow(folder, path, process.platform);
          const walk = this.walks[index];
          if (walk && below && below.length > 0) {
            changed = (await inSlices(walk.update(below.join('/')))) || changed;
          }
        }
      }
      if (changed) {
        this.changed();
      }
      return changed;
    });
  }

  list(): Promise<ListedFiles> {
    return this.sequencer.run(async () => {
      this.listed ??= listOf(this.walks.map(({ list }) => list));
      return this.listed;
    });
  }

  /** While it is walked anew, the picture of before answers. */
  async fuzzy(params: FuzzyParams): Promise<FuzzyResult> {
    if (!this.isWalked) {
      await this.walked;
    }
    if (params.kind === 'file') {
      return fuzzyFind(
        this.walks.map(({ list }) => list),
        params,
      );
    }
    this.directories ??= this.walks.map((walk) => {
      const list = new FileList();
      walk.directoryPaths().forEach((path) => list.push(path));
      return list;
    });
    return fuzzyFind(this.directories, params);
  }

  private changed(): void {
    this.listed = undefined;
    this.directories = undefined;
  }
}

async function inSlices<T>(steps: Generator<void, T>): Promise<T> {
  const slices = new TimeSlices();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) {
      return step.value;
    }
    if (slices.over) {
      await slices.next();
    }
  }
}
