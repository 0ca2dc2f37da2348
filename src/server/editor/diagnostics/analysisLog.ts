import type { Clock } from '../../../base/clock';
import { type Disposable, DisposableStore } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { uriKey } from '../addresses';
import type { EditorPorts, OpenDocument } from '../editorTypes';

/** Reports of files that are not open are remembered for this many. */
const maxReports = 5_000;
/** A report later than this after a change, in milliseconds, has another cause. */
const maxLatencyMs = 10_000;

/** What is known of one open document's text and its analysis; times in milliseconds since the epoch. */
export interface Analysis {
  readonly version: number;
  readonly openedAt: number;
  /** When its text last became another one; when it was opened, where it has not. */
  readonly changedAt: number;
  /** When its diagnostics were last published. */
  readonly reportedAt: number | undefined;
  /** It was open before anybody looked. */
  readonly inherited: boolean;
}

/**
 * When documents changed and when their diagnostics were published, which the editor does not keep: only so can be
 * told whether diagnostics belong to the text as it is now. It also learns how long each language takes.
 */
export class AnalysisLog implements Disposable {
  readonly startedAt: number;
  private readonly open = new Map<string, Analysis>();
  private readonly reports = new Map<string, number>();
  /** By language: how long after a change the last report of it came, the slowest of late. */
  private readonly latencies = new Map<string, number>();
  /** Languages of documents in which a problem was seen. */
  private readonly withProblems = new Set<string>();
  private readonly changes = new Emitter<string>();
  private readonly store = new DisposableStore();

  /** The key of a file whose text or diagnostics changed. */
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly ports: Pick<EditorPorts, 'documents' | 'diagnostics'>,
    private readonly clock: Clock,
    private readonly platform: NodeJS.Platform,
  ) {
    this.startedAt = clock.now();
    for (const document of ports.documents.all()) {
      this.open.set(this.key(document.uri), this.opened(document, true));
    }
    for (const [uri, diagnostics] of ports.diagnostics.all()) {
      if (diagnostics.length > 0) {
        this.report(this.key(uri));
      }
    }
    this.store.add(this.changes);
    this.store.add(ports.documents.onDidChange((uri) => this.textChanged(uri)));
    this.store.add(
      ports.diagnostics.onDidChange((uris) => {
        const keys = new Set(uris.map((uri) => this.key(uri)));
        keys.forEach((key) => this.report(key));
        keys.forEach((key) => this.changes.fire(key));
      }),
    );
  }

  /** Of a document that the editor has open. */
  of(document: OpenDocument): Analysis {
    const key = this.key(document.uri);
    const known = this.open.get(key);
    if (known?.version === document.version) {
      return known;
    }
    // Its event is still to come.
    const now = this.clock.now();
    const fresh = known ? { ...known, version: document.version, changedAt: now } : this.opened(document, false);
    this.open.set(key, fresh);
    return fresh;
  }

  /** When a file's diagnostics were last published, open or not. */
  reportedAt(uri: string): number | undefined {
    return this.reports.get(this.key(uri));
  }

  /** How long analysis of this language takes at most, in milliseconds; nothing where it was never seen. */
  expectedMs(languageId: string): number | undefined {
    const latency = this.latencies.get(languageId);
    return latency === undefined ? undefined : latency * 1.25;
  }

  /**
   * Whether a problem was ever reported in a document of the language. Empty reports alone are no analysis: some extensions
   * clear all documents, whatever their language.
   */
  hasHadProblems(languageId: string): boolean {
    return this.withProblems.has(languageId);
  }

  dispose(): void {
    this.store.dispose();
  }

  private key(uri: string): string {
    return uriKey(uri, this.platform);
  }

  private opened(document: OpenDocument, inherited: boolean): Analysis {
    const now = this.clock.now();
    return { version: document.version, openedAt: now, changedAt: now, reportedAt: undefined, inherited };
  }

  private textChanged(uri: string): void {
    const key = this.key(uri);
    const document = this.ports.documents.find(uri);
    if (document === undefined) {
      // A language extension takes back the diagnostics of what is closed.
      this.open.delete(key);
      this.reports.delete(key);
    } else {
      this.of(document);
    }
    this.changes.fire(key);
  }

  private report(key: string): void {
    const now = this.clock.now();
    this.reports.delete(key);
    this.reports.set(key, now);
    const oldest = this.reports.keys().next().value;
    if (this.reports.size > maxReports && oldest !== undefined) {
      this.reports.delete(oldest);
    }
    const analysis = this.open.get(key);
    if (analysis !== undefined) {
      const document = this.ports.documents.all().find(({ uri }) => this.key(uri) === key);
      if (document !== undefined) {
        this.learn(document, analysis, now);
      }
      this.open.set(key, { ...analysis, reportedAt: now });
    }
  }

  private learn(document: OpenDocument, { changedAt, reportedAt, inherited }: Analysis, now: number): void {
    const { languageId: language } = document;
    if (!this.withProblems.has(language) && this.ports.diagnostics.of(document.uri).length > 0) {
      this.withProblems.add(language);
    }
    const latency = now - changedAt;
    if (latency > maxLatencyMs || (inherited && changedAt === this.startedAt)) {
      return;
    }
    const before = this.latencies.get(language) ?? 0;
    const isFirst = reportedAt === undefined || reportedAt < changedAt;
    this.latencies.set(language, Math.max(latency, isFirst ? before * 0.9 : before));
  }
}
