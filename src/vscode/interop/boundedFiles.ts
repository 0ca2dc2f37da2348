interface StoredFile {
  readonly data: Uint8Array;
  readonly changedAt: number;
}

/** Files in memory by path; above either bound the ones that were least recently used go. The newest always stays. */
export class BoundedFiles {
  private readonly files = new Map<string, StoredFile>();
  private bytes = 0;

  constructor(
    private readonly maxFiles: number,
    private readonly maxBytes: number,
  ) {}

  get(path: string): StoredFile | undefined {
    const file = this.files.get(path);
    if (file) {
      this.files.delete(path);
      this.files.set(path, file);
    }
    return file;
  }

  set(path: string, data: Uint8Array, changedAt: number): void {
    this.remove(path);
    this.files.set(path, { data, changedAt });
    this.bytes += data.byteLength;
    for (const oldest of this.files.keys()) {
      if (oldest === path || (this.files.size <= this.maxFiles && this.bytes <= this.maxBytes)) {
        break;
      }
      this.remove(oldest);
    }
  }

  /** Names directly below a folder. */
  names(folder: string): readonly string[] {
    const prefix = folder.endsWith('/') ? folder : `${folder}/`;
    const below = [...this.files.keys()].filter((path) => path.startsWith(prefix));
    return [...new Set(below.map((path) => path.slice(prefix.length).split('/')[0] ?? ''))];
  }

  private remove(path: string): void {
    const file = this.files.get(path);
    if (file) {
      this.bytes -= file.data.byteLength;
      this.files.delete(path);
    }
  }
}
