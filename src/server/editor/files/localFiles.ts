import { lstatSync, statfs } from 'node:fs';
import { dirname } from 'node:path';
import { OpenedFile } from './openedFile';

/**
 * The types by which Linux knows the file systems of its own disks and memory (statfs(2)): ext, XFS, Btrfs, F2FS, ZFS,
 * bcachefs, overlay, tmpfs. Those of networks and of programs (FUSE) may keep who reads waiting, and are not among them.
 */
const localTypes: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x794c7630, 0x01021994,
]);
const mostDirectories = 1_000;

/**
 * Opens a file without a step on another thread, which costs a small file more than all of its reading: on Linux alone, where
 * an open file says where it is, and in directories alone that were seen to lie on this machine, so that nobody is kept waiting.
 */
export class LocalFiles {
  private readonly devices = new Map<number, boolean>();
  private readonly directories = new Set<string>();

  constructor(private readonly platform: NodeJS.Platform) {}

  /** Learns of a file that was found at a path with no link on the way, and on which device. */
  see(path: string, device: number): void {
    if (this.isLocal(device, path)) {
      if (this.directories.size >= mostDirectories) {
        this.directories.clear();
      }
      this.directories.add(dirname(path));
    }
  }

  /** The file at a path, open; nothing where there is a link on the way, or anything else that needs a closer look. */
  open(path: string): OpenedFile | undefined {
    if (!this.directories.has(dirname(path))) {
      return undefined;
    }
    try {
      const found = lstatSync(path);
      const opened = found.isFile() && this.isLocal(found.dev, path) ? OpenedFile.openAtOnce(path) : undefined;
      if (opened?.isFile && opened.place === path) {
        return opened;
      }
      opened?.close();
    } catch {
      // Whoever looks closer will say what is wrong.
    }
    return undefined;
  }

  /** Of a device that is new here nothing is known yet, but soon after. */
  private isLocal(device: number, path: string): boolean {
    const known = this.devices.get(device);
    if (known === undefined && this.platform === 'linux') {
      this.devices.set(device, false);
      statfs(path, (error, found) => {
        this.devices.set(device, error === null && localTypes.has(found.type));
      });
    }
    return known ?? false;
  }
}
