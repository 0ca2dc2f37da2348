import { Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import type { WebAddress } from '../../base/webAddress';
import type { ArgumentsProblem } from '../../core/policy/policyTypes';
import { FormState } from './formState';
import { webviewPage } from './webviewPage';

/** What a form asks, and what happens with the answer. */
export interface FormRequest {
  /** One panel and one draft per key. */
  readonly key: string;
  readonly title: string;
  readonly heading: string;
  /** Who asks: the server. */
  readonly from: string;
  readonly about: string;
  readonly schema: unknown;
  /** Filled in instead of the draft or the defaults. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly submitLabel: string;
  /** Where a server asks: more ways out, and what was typed is forgotten with the answer. */
  readonly question?: FormQuestion;
  /** Uses the answer. A problem is shown in the form, which stays; nothing closes it. `report` sets the line of status. */
  submit(
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    report: (status: string) => void,
  ): Promise<ArgumentsProblem | undefined>;
}

/** What a form adds that is a question of a server. */
export interface FormQuestion {
  /** Stays in sight beside the message. */
  readonly warning?: string;
  /** The page that the question is about: shown whole, and never as a link. */
  readonly page?: WebAddress;
  /** The way out beside sending and closing. */
  readonly other: { readonly label: string; readonly closes: boolean; run(): void };
  /** The question is gone, whoever closed it or took its place. */
  closed(): void;
}

type FormMessage =
  | { readonly type: 'ready' | 'submit' | 'other' | 'stop' | 'close' | 'switch' }
  | {
      readonly type: 'values';
      readonly values: readonly (readonly [string, string | boolean | readonly string[] | null])[];
    }
  | { readonly type: 'text'; readonly text: string };

/** Form panels in editor tabs, one per question. What was typed outlives a closed panel as a draft. */
export class FormPanels implements Disposable {
  private readonly open = new Map<string, FormPanel>();
  private readonly drafts = new Map<string, FormState>();

  constructor(private readonly extensionUri: Uri) {}

  /** What it returns closes the form, unless another request has taken its place. */
  show(request: FormRequest): Disposable {
    const shown = this.open.get(request.key);
    if (shown) {
      shown.restart(request, this.stateFor(request));
      return toDisposable(() => shown.close(request));
    }
    const state = this.stateFor(request);
    const panel = new FormPanel(this.extensionUri, request, state, ({ question }, last) => {
      this.open.delete(request.key);
      if (question) {
        question.closed();
        return;
      }
      this.drafts.set(request.key, last);
      const [oldest] = this.drafts.keys();
      if (this.drafts.size > 50 && oldest !== undefined) {
        this.drafts.delete(oldest);
      }
    });
    this.open.set(request.key, panel);
    return toDisposable(() => panel.close(request));
  }

  dispose(): void {
    for (const panel of [...this.open.values()]) {
      panel.dispose();
    }
  }

  private stateFor(request: FormRequest): FormState {
    const draft = this.drafts.get(request.key);
    return draft && request.args === undefined && draft.fits(request.schema)
      ? draft
      : new FormState(request.schema, request.args);
  }
}

class FormPanel implements Disposable {
  private readonly store = new DisposableStore();
  private readonly panel: WebviewPanel;
  private running: AbortController | undefined;

  constructor(
    extensionUri: Uri,
    private request: FormRequest,
    private state: FormState,
    closed: (request: FormRequest, last: FormState) => void,
  ) {
    const media = Uri.joinPath(extensionUri, 'media', 'form');
    this.panel = this.store.add(
      window.createWebviewPanel('portico.form', request.title, ViewColumn.Active, {
        enableScripts: true,
        localResourceRoots: [media],
      }),
    );
    this.panel.iconPath = Uri.joinPath(extensionUri, 'media', 'icon.png');
    this.store.add(
      this.panel.onDidDispose(() => {
        this.running?.abort();
        this.store.dispose();
        closed(this.request, this.state);
      }),
    );
    this.store.add(this.panel.webview.onDidReceiveMessage((message: FormMessage) => this.receive(message)));
    this.panel.webview.html = webviewPage(this.panel.webview, media, {
      title: 'Form',
      styles: ['form.css'],
      script: 'form.js',
      body,
    });
  }

  restart(request: FormRequest, state: FormState): void {
    if (this.request.question) {
      this.request.question.closed();
      this.running = undefined;
    }
    this.request = request;
    this.state = state;
    this.panel.title = request.title;
    this.panel.reveal();
    this.draw();
  }

  close(request: FormRequest): void {
    if (this.request === request) {
      this.panel.dispose();
    }
  }

  dispose(): void {
    this.panel.dispose();
  }

  private receive(message: FormMessage): void {
    switch (message.type) {
      case 'ready':
        this.draw();
        break;
      case 'values':
        this.state.setValues(message.values);
        this.update();
        break;
      case 'text':
        this.state.setText(message.text);
        this.update();
        break;
      case 'switch':
        if (this.state.switchMode()) {
          this.draw();
        } else {
          this.update({ alert: 'The fields cannot hold these arguments as they are.' });
        }
        break;
      case 'submit':
        void this.submit();
        break;
      case 'other':
        this.other();
        break;
      case 'stop':
        this.running?.abort();
        break;
      case 'close':
        this.panel.dispose();
        break;
    }
  }

  private other(): void {
    const { request } = this;
    request.question?.other.run();
    if (request.question?.other.closes) {
      this.close(request);
    }
  }

  private async submit(): Promise<void> {
    if (this.running) {
      return;
    }
    const { request } = this;
    const { args, valid } = this.state.check();
    if (!valid) {
      this.update({ focusError: true });
      return;
    }
    const running = new AbortController();
    this.running = running;
    const report = (status: string): void => this.update({ busy: true, status });
    report(this.busyText);
    try {
      const problem = await request.submit(args, running.signal, report);
      if (this.running !== running) {
        return;
      }
      this.running = undefined;
      if (!problem) {
        this.close(request);
        return;
      }
      const rest = this.state.setFaults(problem.faults ?? []);
      this.update({ alert: rest || problem.faults === undefined ? problem.message : undefined, focusError: true });
    } finally {
      if (this.running === running) {
        this.running = undefined;
      }
    }
  }

  private draw(): void {
    const { heading, from, about, submitLabel, question } = this.request;
    const asks = question && { warning: question.warning ?? '', other: question.other.label, page: question.page };
    void this.post({ type: 'draw', heading, from, about, submitLabel, asks, ...this.state.drawing() });
    this.update(this.running ? { busy: true, status: this.busyText } : {});
  }

  private get busyText(): string {
    return this.request.question ? 'Sending…' : 'Running…';
  }

  private update(
    extra: { alert?: string | undefined; busy?: boolean; status?: string; focusError?: boolean } = {},
  ): void {
    void this.post({
      type: 'state',
      preview: this.state.preview(),
      errors: this.state.shownErrors(),
      busy: false,
      ...extra,
    });
  }

  private async post(message: unknown): Promise<void> {
    if (!this.store.isDisposed) {
      await this.panel.webview.postMessage(message);
    }
  }
}

const body = `<header>
<h1 id="heading"></h1>
<p id="from" class="from"></p>
<p id="about" class="about" tabindex="0"></p>
<p id="warning" class="warning" hidden></p>
<p id="page" class="page" tabindex="0" hidden></p>
</header>
<div id="alert" class="alert" role="alert" tabindex="-1" hidden></div>
<form id="form" novalidate>
<div id="fields"></div>
<div class="actions">
<button id="submit" class="primary" type="submit" title="Ctrl+Enter"></button>
<button id="other" type="button" hidden></button>
<button id="close" type="button" title="Escape; what you typed is kept">Close</button>
<button id="stop" type="button" hidden>Cancel</button>
</div>
<p id="status" class="status" role="status"></p>
</form>
<div class="sight"><h2 id="sight"></h2><button id="mode" class="link" type="button"></button></div>
<pre id="preview" tabindex="0" aria-labelledby="sight"></pre>`;
