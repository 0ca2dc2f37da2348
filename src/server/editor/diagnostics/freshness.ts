import type { Clock } from '../../../base/clock';
import type { Disposable } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import { orAborted } from '../../../base/orAborted';
import { uriKey } from '../addresses';
import type { EditorPorts, OpenDocument } from '../editorTypes';
import type { TextOnDisk } from '../textOnDisk';
import type { WorkspaceFile, WorkspaceFiles } from '../workspaceTypes';
import type { Analysis, AnalysisLog } from './analysisLog';

/** No further report for this long means that the analysis is over; times in milliseconds. */
const quietMs = 400;
/** As long is waited for a first report. */
const firstReportMs = 1_200;
/** Silence for this long means that there is nothing to report, where a language extension looks after the file. */
const longSilenceMs = 60_000;
/** Nobody is made to wait longer because a language was once that slow. */
const maxExpectedMs = 4_000;
/** How often disk and buffer are compared while the editor has yet to see a change. */
const reloadCheckMs = 150;
/** How often it is looked whether anybody has said that they look after the file. */
const providerCheckMs = 100;

export interface Freshness {
  /**
   * `fresh`: of the text as it is now. `stale`: of an earlier text. `timedOut`: analysis was not over in time.
   * `notAnalyzed`: nobody looked. Only `fresh` can mean that there are no problems.
   */
  readonly state: 'fresh' | 'stale' | 'timedOut' | 'notAnalyzed';
  readonly reason: string | undefined;
  /** The editor's version of the text; absent where it could not be opened. */
  readonly documentVersion: number | undefined;
  readonly waitedMs: number;
  /** The text has changes that are not saved. */
  readonly dirty: boolean;
}

type Verdict = Pick<Freshness, 'state' | 'reason'> | { readonly state: 'wait'; readonly ms: number };

/** Waits until a file's diagnostics are of its text as it is now, or says why they are not. */
export class Freshener {
  constructor(
    private readonly ports: Pick<EditorPorts, 'documents' | 'diagnostics' | 'language'>,
    private readonly files: WorkspaceFiles,
    private readonly disk: TextOnDisk,
    private readonly log: AnalysisLog,
    private readonly clock: Clock,
  ) {}

  /** `deadline` is a time of the clock. Rejects with RESOURCE_UNKNOWN where the file is gone, CANCELLED on abort. */
  async settle(file: WorkspaceFile, deadline: number, signal: AbortSignal): Promise<Freshness> {
    const begun = this.clock.now();
    const answer = (document: OpenDocument | undefined, verdict: Pick<Freshness, 'state' | 'reason'>): Freshness => ({
      state: verdict.state,
      reason: verdict.reason,
      documentVersion: document?.version,
      waitedMs: this.clock.now() - begun,
      dirty: document?.isDirty ?? false,
    });
    const loaded = await this.load(file, deadline, signal);
    if ('reason' in loaded) {
      return answer(undefined, loaded);
    }
    let provider = this.askFor(loaded);
    let isAskedAgain = false;
    const changes = new Changes(this.log, uriKey(file.uri, this.files.platform));
    try {
      for (;;) {
        const document = this.files.documentOf(file);
        if (document === undefined) {
          return answer(undefined, { state: 'notAnalyzed', reason: 'The editor closed the document meanwhile.' });
        }
        changes.forget();
        const verdict = await this.judge(file, document, provider);
        if (changes.any) {
          continue;
        }
        const left = deadline - this.clock.now();
        if (verdict.state === 'notAnalyzed' && !isAskedAgain && left > 0) {
          // An extension that the document has woken up may have needed its time.
          isAskedAgain = true;
          provider = this.askFor(document);
          continue;
        }
        if (verdict.state !== 'wait') {
          return answer(document, verdict);
        }
        if (left <= 0) {
          return answer(document, await this.judgeAtEnd(file, document));
        }
        await orAborted(changes.next(Math.min(verdict.ms, left), this.clock), signal, 'The wait for diagnostics');
      }
    } finally {
      changes.dispose();
    }
  }

  /** The state of a file that is not open, without loading it. */
  async glance(file: WorkspaceFile): Promise<Freshness> {
    const changed = (await this.files.stat(file))?.changedMs;
    const reported = this.log.reportedAt(file.uri);
    const of = (state: Freshness['state'], reason?: string): Freshness => ({
      state,
      reason,
      documentVersion: undefined,
      waitedMs: 0,
      dirty: false,
    });
    if (changed === undefined) {
      return of('stale', 'The file is not there any more.');
    }
    if (reported === undefined) {
      return of('notAnalyzed', 'It is not open, and nobody reported on it.');
    }
    return changed > reported ? of('stale', 'The file changed on disk after they were reported.') : of('fresh');
  }

  private async load(
    file: WorkspaceFile,
    deadline: number,
    signal: AbortSignal,
  ): Promise<OpenDocument | Pick<Freshness, 'state' | 'reason'>> {
    const open = this.files.documentOf(file);
    if (open !== undefined) {
      return open;
    }
    if ((await this.files.stat(file)) === undefined) {
      throw new PorticoError('RESOURCE_UNKNOWN', `There is no file ${file.label}.`);
    }
    try {
      const late = this.after(Math.max(0, deadline - this.clock.now())).then(() => 'late' as const);
      const document = await orAborted(Promise.race([this.ports.documents.load(file.uri), late]), signal, 'The wait');
      return document === 'late'
        ? { state: 'timedOut', reason: 'The editor did not open the document in time.' }
        : document;
    } catch (error) {
      if (signal.aborted) {
        throw error;
      }
      const reason = error instanceof Error ? error.message : String(error);
      return { state: 'notAnalyzed', reason: `The editor cannot open it: ${reason}` };
    }
  }

  private async judge(file: WorkspaceFile, document: OpenDocument, provider: Provider): Promise<Verdict> {
    if (!document.isDirty && file.path !== undefined) {
      const agreement = await this.disk.compare(file, document);
      if (agreement === 'missing') {
        throw new PorticoError('RESOURCE_UNKNOWN', `There is no file ${file.label}.`);
      }
      if (agreement === 'different') {
        return { state: 'wait', ms: reloadCheckMs };
      }
      if (agreement === 'unknown') {
        return { state: 'stale', reason: "The editor's copy could not be compared with the file on disk." };
      }
    }
    const analysis = this.log.of(document);
    const since = this.clock.now() - analysis.changedAt;
    const learned = this.log.expectedMs(document.languageId);
    const expected = Math.min(learned ?? 0, maxExpectedMs);
    const isLookedAfter = this.log.hasHadProblems(document.languageId) || provider.isThere;
    if (analysis.reportedAt !== undefined && analysis.reportedAt >= analysis.changedAt) {
      const ms = Math.max(quietMs - (this.clock.now() - analysis.reportedAt), expected - since);
      return this.known(document) > 0 ? until(ms) : cleanAfter(ms, isLookedAfter);
    }
    if (this.known(document) > 0) {
      // Reported before it was opened, and of the same text.
      return (await this.isOlderText(file, analysis))
        ? { state: 'wait', ms: longSilenceMs }
        : until(firstReportMs - since);
    }
    if (analysis.reportedAt !== undefined && learned !== undefined) {
      // It was clean before: many extensions do not report that it still is.
      return cleanAfter(Math.max(firstReportMs, 2 * expected) - since, isLookedAfter);
    }
    if (since < firstReportMs) {
      return { state: 'wait', ms: firstReportMs - since };
    }
    return isLookedAfter === false ? nobodySaidAnything : cleanAfter(longSilenceMs - since, isLookedAfter);
  }

  private askFor({ uri }: OpenDocument): Provider {
    const provider: { isThere: boolean | undefined } = { isThere: undefined };
    void this.ports.language.documentSymbols(uri).then(
      (symbols) => (provider.isThere = symbols !== undefined),
      // It looks after the file, and failed at it.
      () => (provider.isThere = true),
    );
    return provider;
  }

  /** What is there when time is up and `judge` would still wait. */
  private async judgeAtEnd(file: WorkspaceFile, document: OpenDocument): Promise<Pick<Freshness, 'state' | 'reason'>> {
    const differs =
      !document.isDirty && file.path !== undefined && (await this.disk.compare(file, document)) === 'different';
    if (differs) {
      return { state: 'stale', reason: 'The file changed on disk and the editor still has its older text.' };
    }
    const { reportedAt, changedAt } = this.log.of(document);
    if (reportedAt !== undefined && reportedAt >= changedAt) {
      return { state: 'timedOut', reason: 'The analysis was still going on.' };
    }
    return this.known(document) > 0
      ? { state: 'stale', reason: 'They are from before the last change; no new analysis was reported in time.' }
      : {
          state: 'timedOut',
          reason: 'No analysis of this text was reported in time: it may be clean or still at work.',
        };
  }

  private known({ uri }: OpenDocument): number {
    return this.ports.diagnostics.of(uri).length;
  }

  /** Whether the text is another one than at the last report. */
  private async isOlderText(file: WorkspaceFile, analysis: Analysis): Promise<boolean> {
    if (analysis.changedAt > analysis.openedAt) {
      return true;
    }
    const changed = (await this.files.stat(file))?.changedMs ?? 0;
    return changed > (this.log.reportedAt(file.uri) ?? this.log.startedAt);
  }

  private after(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.after(ms, resolve);
    });
  }
}

/** Changes of one file's text or diagnostics since they were last forgotten; none is lost between two looks. */
class Changes implements Disposable {
  private seen = false;
  private wake = (): void => undefined;
  private timer: Disposable | undefined;
  private readonly listening: Disposable;

  constructor(log: AnalysisLog, key: string) {
    this.listening = log.onDidChange((other) => {
      if (other === key) {
        this.seen = true;
        this.wake();
      }
    });
  }

  get any(): boolean {
    return this.seen;
  }

  forget(): void {
    this.seen = false;
  }

  /** Resolves at the next change, or after a while. */
  async next(ms: number, clock: Clock): Promise<void> {
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      this.timer?.dispose();
      this.timer = clock.after(ms, resolve);
    });
  }

  dispose(): void {
    this.listening.dispose();
    this.timer?.dispose();
  }
}

/** Whether an extension gives the symbols of a document, by which is seen that it looks after it. */
interface Provider {
  /** Nothing until it was heard. */
  readonly isThere: boolean | undefined;
}

const nobodySaidAnything = {
  state: 'notAnalyzed',
  reason:
    'Nothing was said of this file: it may need to be open in the editor, or no language extension looks after it.',
} as const satisfies Verdict;

/** After a while without problems: there are none, where somebody is there who would have found them. */
function cleanAfter(ms: number, isLookedAfter: boolean | undefined): Verdict {
  if (ms > 0 || isLookedAfter === true) {
    return until(ms);
  }
  return isLookedAfter === false ? nobodySaidAnything : { state: 'wait', ms: providerCheckMs };
}

function until(ms: number): Verdict {
  return ms <= 0 ? { state: 'fresh', reason: undefined } : { state: 'wait', ms };
}
