import { env, Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { PorticoError, toProblem } from '../../base/errors';
import { shownUrl } from '../../base/shownUrl';
import type { DiagnosisStep } from '../../core/connections/auth/authTypes';
import type { ServerView } from '../../core/hubTypes';
import { commands, type ServerArgument } from '../../ids';
import { runCommand } from '../interop/commands';
import type { Services } from '../interop/contribution';
import { pickServer } from '../interop/pickServer';
import { plainLine } from '../interop/text';
import { webviewPage } from '../interop/webviewPage';
import { type Diagnosis, diagnosisSummary, diagnosisText, shownStep } from './diagnosisText';
import { isRemote } from './signIn';

interface DoctorMessage {
  readonly type: 'ready' | 'again' | 'stop' | 'copy' | 'signIn';
}

const open = new Map<string, AuthDoctor>();

/** *Diagnose Sign-In…*: walks the steps of a sign-in up to the browser, in a panel that shows where it stops. */
export async function diagnoseSignIn(services: Services, argument: ServerArgument): Promise<void> {
  const view = await pickServer(services.hub, argument, 'Diagnose Sign-In', isRemote);
  if (!view) {
    return;
  }
  const shown = open.get(view.id);
  if (shown) {
    shown.again();
    return;
  }
  const doctor = new AuthDoctor(services, view, () => open.delete(view.id));
  open.set(view.id, doctor);
  doctor.again();
}

class AuthDoctor {
  private readonly store = new DisposableStore();
  private readonly panel: WebviewPanel;
  private run: AbortController | undefined;
  private steps: readonly DiagnosisStep[] = [];
  private state: Diagnosis['state'] = 'running';

  constructor(
    private readonly services: Services,
    private readonly view: ServerView,
    closed: () => void,
  ) {
    const media = Uri.joinPath(services.context.extensionUri, 'media');
    this.panel = this.store.add(
      window.createWebviewPanel('portico.authDoctor', `Sign-in: ${this.name}`, ViewColumn.Active, {
        enableScripts: true,
        localResourceRoots: [media],
      }),
    );
    services.context.subscriptions.push(this.store);
    this.panel.iconPath = Uri.joinPath(media, 'icon.png');
    this.store.add(
      this.panel.onDidDispose(() => {
        this.run?.abort();
        this.store.dispose();
        closed();
      }),
    );
    this.store.add(this.panel.webview.onDidReceiveMessage((message: DoctorMessage) => void this.receive(message)));
    this.panel.webview.html = webviewPage(this.panel.webview, media, {
      title: 'Sign-in',
      styles: ['form/form.css', 'authDoctor/authDoctor.css'],
      script: 'authDoctor/authDoctor.js',
      body,
    });
  }

  /** Looks anew; what was found before is gone. */
  again(): void {
    this.run?.abort();
    this.panel.reveal();
    this.diagnose().catch((error: unknown) =>
      this.services.logs.own.error('The sign-in could not be diagnosed.', error),
    );
  }

  private get name(): string {
    return plainLine(this.view.definition.key, 60);
  }

  private get diagnosis(): Diagnosis {
    const { key, launch } = this.view.definition;
    return {
      server: key,
      url: launch.type === 'stdio' ? '' : shownUrl(launch.url),
      steps: this.steps,
      state: this.state,
    };
  }

  private async diagnose(): Promise<void> {
    const run = new AbortController();
    this.run = run;
    this.steps = [];
    this.state = 'running';
    this.draw();
    const add = (step: DiagnosisStep): void => {
      if (!run.signal.aborted) {
        this.steps = [...this.steps, step];
        this.post({ type: 'step', step: shownStep(step), summary: diagnosisSummary(this.diagnosis) });
      }
    };
    try {
      await (await this.services.hub.auth()).diagnose(this.view.id, add, run.signal);
    } catch (error) {
      if (!PorticoError.is(error, 'CANCELLED')) {
        add({ title: 'Diagnosis', outcome: 'failed', detail: toProblem(error).message, addresses: [] });
      }
    }
    // A later run has the panel now.
    if (this.run === run) {
      this.state = run.signal.aborted ? 'stopped' : 'done';
      this.run = undefined;
      this.post({ type: 'end', summary: diagnosisSummary(this.diagnosis) });
    }
  }

  private async receive({ type }: DoctorMessage): Promise<void> {
    switch (type) {
      case 'ready':
        this.draw();
        break;
      case 'again':
        this.again();
        break;
      case 'stop':
        this.run?.abort();
        break;
      case 'copy':
        await env.clipboard.writeText(diagnosisText(this.diagnosis));
        this.post({ type: 'copied' });
        break;
      case 'signIn':
        await runCommand(commands.signIn, this.view.id);
        break;
    }
  }

  private draw(): void {
    this.post({
      type: 'draw',
      heading: `Sign-in of “${this.name}”`,
      from: plainLine(this.diagnosis.url, 500),
      steps: this.steps.map(shownStep),
      isRunning: this.state === 'running',
      summary: diagnosisSummary(this.diagnosis),
    });
  }

  private post(message: unknown): void {
    if (!this.store.isDisposed) {
      void this.panel.webview.postMessage(message);
    }
  }
}

const body = `<header>
<h1 id="heading"></h1>
<p id="from" class="from"></p>
</header>
<p id="summary" class="summary" role="status"></p>
<ol id="steps" class="steps" aria-label="Steps"></ol>
<div class="actions">
<button id="signIn" class="primary" type="button">Sign In…</button>
<button id="again" type="button">Look Again</button>
<button id="stop" type="button" title="Escape" hidden>Stop</button>
<button id="copy" type="button">Copy as Text</button>
</div>
<p id="copied" class="status" role="status"></p>`;
