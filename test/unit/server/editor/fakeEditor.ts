import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Signal, signal } from '@preact/signals-core';
import type { Disposable } from '../../../../src/base/disposable';
import { Emitter } from '../../../../src/base/emitter';
import type {
  ActiveEditor,
  ChangedFile,
  CodeActionInfo,
  DiffVerdict,
  EditorDiagnostic,
  EditorEdit,
  EditorLocation,
  EditorPorts,
  EditorPosition,
  EditorRange,
  EditorServerSettings,
  EditorSymbol,
  EditorTaskInfo,
  EditorTaskRun,
  EffectRequest,
  FileChange,
  OpenDocument,
  OpenEditor,
  TextReplacement,
  WorkspaceFolderInfo,
} from '../../../../src/server/editor/editorTypes';
import { fileUri } from '../../../../src/server/editor/files/fileNames';
import { FakeDocument } from './fakeDocument';

export function range(line: number, character: number, endLine = line, endCharacter = character + 1): EditorRange {
  return { start: { line, character }, end: { line: endLine, character: endCharacter } };
}

export function problem(message: string, more: Partial<EditorDiagnostic> = {}): EditorDiagnostic {
  return {
    range: range(0, 0),
    severity: 'error',
    message,
    source: 'ts',
    code: undefined,
    codeUrl: undefined,
    tags: [],
    related: [],
    ...more,
  };
}

/** An editor over real files in a directory of its own; everything that a person or an extension does, a test does. */
export class FakeEditor implements EditorPorts, Disposable {
  readonly root: string;
  readonly open = new Map<string, FakeDocument>();
  readonly published = new Map<string, readonly EditorDiagnostic[]>();
  readonly folders: Signal<readonly WorkspaceFolderInfo[]>;
  readonly trusted = signal(true);
  readonly excludes = signal<Readonly<Record<string, readonly string[]>>>({});
  readonly settings = signal<EditorServerSettings>({
    groups: new Set(['edit', 'run']),
    secrets: ['.env*'],
    allowedDirectories: [],
    hiddenSources: [],
  });
  readonly active = signal<ActiveEditor | undefined>(undefined);
  readonly editors = signal<readonly OpenEditor[]>([]);
  readonly shown: { uri: string; range: EditorRange | undefined }[] = [];
  readonly asked: EffectRequest[] = [];
  readonly symbols = new Map<string, readonly EditorSymbol[]>();
  readonly requests: { what: string; uri: string; at: EditorPosition }[] = [];
  /** What the person answers. */
  answerConfirm: () => Promise<boolean> = async () => true;
  answerDiff: () => Promise<DiffVerdict> = () => new Promise(() => undefined);
  loads: 'works' | 'hangs' | Error = 'works';
  locations: readonly EditorLocation[] = [];
  hovers: readonly string[] = [];
  found: readonly EditorSymbol[] = [];
  actions: readonly CodeActionInfo[] = [];
  renaming: EditorEdit = { edits: [], files: [] };
  formatting: readonly TextReplacement[] | undefined;
  changed: readonly ChangedFile[] | undefined = [];
  patch: string | undefined = '';
  /** The root of the repository that `patch` is of; that of the first folder by default. */
  repository: string | undefined;
  taskList: readonly EditorTaskInfo[] = [];
  runs: EditorTaskRun[] = [];
  private readonly changes = new Emitter<string>();
  private readonly reports = new Emitter<readonly string[]>();
  private readonly files = new Emitter<readonly FileChange[]>();
  private readonly gitChanges = new Emitter<void>();

  constructor(folderNames: readonly string[] = ['ws']) {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'portico-editor-')));
    this.folders = signal(
      folderNames.map((name) => {
        const path = join(this.root, name);
        mkdirSync(path, { recursive: true });
        return { name: basename(path), uri: fileUri(path, process.platform), path };
      }),
    );
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.folders.value[0]?.path ?? this.root, name);
  }

  uri(name: string): string {
    return fileUri(this.path(name), process.platform);
  }

  /** Another process writes a file. */
  write(name: string, text: string, secondsAgo = 3600): void {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    const time = Date.now() / 1000 - secondsAgo;
    utimesSync(path, time, time);
  }

  /** Another process puts a file in the place of one, after a time in milliseconds since the epoch that is about now. */
  replace(name: string, text: string, after: number, secondsAgo = 3600): void {
    const other = `${name}.other`;
    do {
      this.write(other, text, secondsAgo);
    } while (statSync(this.path(other)).ctimeMs <= after);
    renameSync(this.path(other), this.path(name));
  }

  tellFiles(kind: FileChange['kind'], name: string): void {
    this.files.fire([{ uri: this.uri(name), kind }]);
  }

  tellGit(): void {
    this.gitChanges.fire();
  }

  openFile(name: string, uri = this.uri(name)): FakeDocument {
    const document = new FakeDocument(uri, this.path(name), readFileSync(this.path(name), 'utf8'));
    this.open.set(uri, document);
    this.changes.fire(uri);
    return document;
  }

  openUntitled(uri: string, text: string): FakeDocument {
    const document = new FakeDocument(uri, undefined, text);
    this.open.set(uri, document);
    return document;
  }

  /** The person types. */
  edit(document: FakeDocument, text: string): void {
    document.set(text, true);
    this.changes.fire(document.uri);
  }

  /** The editor takes over what another process wrote. */
  reload(document: FakeDocument): void {
    document.set(readFileSync(document.path ?? '', 'utf8'), false);
    this.changes.fire(document.uri);
  }

  close(document: FakeDocument): void {
    this.open.delete(document.uri);
    this.changes.fire(document.uri);
  }

  /** An extension publishes. */
  publish(uri: string, ...diagnostics: EditorDiagnostic[]): void {
    this.published.set(uri, diagnostics);
    this.reports.fire([uri]);
  }

  get workspace(): EditorPorts['workspace'] {
    return {
      folders: this.folders,
      isTrusted: this.trusted,
      excludes: this.excludes,
      onDidChangeFiles: this.files.event,
    };
  }

  readonly documents: EditorPorts['documents'] = {
    all: () => [...this.open.values()],
    find: (uri) => this.open.get(uri),
    load: async (uri): Promise<OpenDocument> => {
      if (this.loads === 'hangs') {
        return new Promise(() => undefined);
      }
      if (this.loads instanceof Error) {
        throw this.loads;
      }
      const path = fileURLToPath(uri);
      statSync(path);
      const document = new FakeDocument(uri, path, readFileSync(path, 'utf8'));
      this.open.set(uri, document);
      this.changes.fire(uri);
      return document;
    },
    onDidChange: this.changes.event,
  };

  readonly view: EditorPorts['view'] = {
    active: this.active,
    editors: this.editors,
    show: async (uri, shown) => void this.shown.push({ uri, range: shown }),
    showDiff: (_uri, _proposed, _title, abort) =>
      new Promise((resolve, reject) => {
        abort.addEventListener('abort', () => reject(new Error('closed')));
        void this.answerDiff().then(resolve, reject);
      }),
  };

  readonly diagnostics: EditorPorts['diagnostics'] = {
    all: () => [...this.published],
    of: (uri) => this.published.get(uri) ?? [],
    onDidChange: this.reports.event,
  };

  readonly language: EditorPorts['language'] = {
    documentSymbols: async (uri) => this.symbols.get(uri),
    workspaceSymbols: async (query) => this.found.filter(({ name }) => name.includes(query)),
    definition: (uri, at) => this.locate('definition', uri, at),
    references: (uri, at) => this.locate('references', uri, at),
    implementations: (uri, at) => this.locate('implementations', uri, at),
    hover: async (uri, at) => {
      this.requests.push({ what: 'hover', uri, at });
      return this.hovers;
    },
    codeActions: async () => this.actions,
    rename: async (uri, at) => {
      this.requests.push({ what: 'rename', uri, at });
      return this.renaming;
    },
    format: async () => this.formatting,
  };

  readonly edits: EditorPorts['edits'] = {
    apply: async ({ edits }) => {
      for (const { uri, replacements } of edits) {
        const document = this.open.get(uri) ?? this.openFile(uri.slice(this.uri('').length));
        document.replace(replacements);
        this.changes.fire(uri);
      }
      return true;
    },
    applyCodeAction: async (id) => {
      const edit = this.actions.find((action) => action.id === id)?.edit;
      return edit !== undefined && this.edits.apply(edit, 'action');
    },
  };

  readonly tasks: EditorPorts['tasks'] = {
    list: async () => this.taskList,
    run: async (id) => {
      const run = this.runs.find(({ task }) => task.id === id);
      if (run === undefined) {
        throw new Error(`no task ${id}`);
      }
      return run;
    },
  };

  readonly git: EditorPorts['git'] = {
    changes: async () => this.changed,
    diffs: async () =>
      this.patch === undefined ? undefined : [{ root: this.repository ?? this.path('.'), text: this.patch }],
    onDidChange: this.gitChanges.event,
  };

  readonly confirm: EditorPorts['confirm'] = {
    confirm: (_client, effect) => {
      this.asked.push(effect);
      return this.answerConfirm();
    },
  };

  private async locate(what: string, uri: string, at: EditorPosition): Promise<readonly EditorLocation[]> {
    this.requests.push({ what, uri, at });
    return this.locations;
  }
}
