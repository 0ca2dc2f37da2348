// A person at the workbench. How to write a UI test:
//
//   describe('servers view', () => {
//     let workbench: Workbench;
//     before(async () => (workbench = await Workbench.open({ files: { 'a.txt': 'a' }, settings: { 'portico.servers': {} } })));
//     after(() => workbench.close());
//     it('shows the server', async () => {
//       await workbench.openPortico();
//       await workbench.tree.row('memory, ready').waitFor();
//       await workbench.screenshot('servers');
//     });
//   });
//
// Everything waits for a state and fails with a timeout that names it; never wait for a time. What a test needs from the
// page beside these helpers it takes from `workbench.page` (Playwright). Run one: `npm run test:ui -- --grep "servers view"`.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../../harness/browser.mjs';
import { openPage } from '../../harness/page.mjs';
import { EditorServer } from '../../harness/server.mjs';
import { Chat } from './chat';
import { Form } from './form';
import { Notifications } from './notifications';
import { QuickInput } from './quickInput';
import { ScriptedModel } from './scriptedModel';
import { Tree } from './tree';
import { until } from './until';
import { packagedExtensions } from './packagedExtensions';

export const themes = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  highContrast: 'Default High Contrast',
};

export interface WorkbenchOptions {
  /** A folder of test/fixtures/workspaces, copied before it is opened; an empty one if absent. */
  readonly workspace?: string;
  /** Files written into the copy, by their path in it. `${folder}` in a text stands for the copy's path. */
  readonly files?: Readonly<Record<string, string>>;
  /** The person's settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly theme?: keyof typeof themes;
  /** False: Restricted Mode until the person trusts the folder. */
  readonly trust?: boolean;
  /** `vsix` installs the package like a person does; `development` (if absent) runs dist/ as it is. */
  readonly install?: 'development' | 'vsix';
  /** Without the driver notifications pop up as toasts, as a person sees them. */
  readonly smokeDriver?: boolean;
  /** More environment for the extension host and its children. */
  readonly env?: Readonly<Record<string, string>>;
  readonly size?: { readonly width: number; readonly height: number };
  /** Prepares the folder before it is opened. */
  readonly prepare?: (folder: string) => void;
  /** Opens a workspace of these folders, made below the folder, instead of the folder itself; see `useFolders`. */
  readonly folders?: readonly WorkspaceFolder[];
}

/** A folder of a workspace; its path is relative to `Workbench.folder`. */
export interface WorkspaceFolder {
  readonly path: string;
  readonly name?: string;
}

export class Workbench {
  /** Those that are open, for pictures of failures. */
  static readonly all = new Set<Workbench>();

  readonly quickInput: QuickInput;
  readonly tree: Tree;
  readonly notifications: Notifications;
  readonly chat: Chat;
  readonly form: Form;

  static async open(options: WorkbenchOptions = {}): Promise<Workbench> {
    const temporary = mkdtempSync(join(tmpdir(), 'portico-ui-'));
    const folder = join(temporary, 'workspace');
    mkdirSync(folder);
    if (options.workspace) {
      cpSync(join('test', 'fixtures', 'workspaces', options.workspace), folder, { recursive: true });
    }
    for (const [path, text] of Object.entries(options.files ?? {})) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text.replaceAll('${folder}', folder));
    }
    options.prepare?.(folder);
    if (options.folders) {
      writeFolders(folder, options.folders);
    }
    const control = process.platform === 'win32' ? `\\\\.\\pipe\\${basename(temporary)}` : join(temporary, 'control');
    const vsix = options.install === 'vsix';
    const server = await EditorServer.start({
      settings: { 'workbench.colorTheme': themes[options.theme ?? 'light'], ...quiet, ...options.settings },
      trust: options.trust ?? true,
      smokeDriver: options.smokeDriver ?? true,
      vsix: vsix ? packagedExtensions() : [],
      env: { PORTICO_TEST_CONTROL: control, ...options.env },
    });
    let browser: Browser | undefined;
    try {
      browser = await launchBrowser();
      const context = await browser.newContext({ viewport: options.size ?? { width: 1400, height: 900 } });
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      const log: string[] = [];
      const development = vsix ? [] : [resolve('.'), resolve('test/fixtures/extensions/scripted-model')];
      const opened = options.folders ? { workspace: join(folder, workspaceFile) } : { folder };
      await openPage(page, server, { ...opened, development }, (line) => log.push(line));
      const workbench = new Workbench(page, browser, server, folder, temporary, new ScriptedModel(control), log);
      await workbench.model.ready();
      Workbench.all.add(workbench);
      return workbench;
    } catch (error) {
      await browser?.close();
      await server.stop();
      throw error;
    }
  }

  private constructor(
    readonly page: Page,
    private readonly browser: Browser,
    readonly server: EditorServer,
    /** The opened folder's path. */
    readonly folder: string,
    private readonly temporary: string,
    readonly model: ScriptedModel,
    /** What the window logged, oldest first. */
    readonly log: readonly string[],
  ) {
    this.quickInput = new QuickInput(page);
    this.tree = new Tree(page);
    this.notifications = new Notifications(page, this);
    this.chat = new Chat(page, this, model);
    this.form = new Form(page);
  }

  /** Ends the browser and the editor; fails when a process of it lives on. */
  async close(): Promise<void> {
    Workbench.all.delete(this);
    await this.browser.close();
    await this.server.stop();
    rmSync(this.temporary, { recursive: true, force: true });
  }

  /** Runs a command from the palette by its title, category included: `Portico: Add Server…`. */
  async runCommand(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.quickInput.type(`>${title}`);
    await this.quickInput.pick(title);
  }

  /** Runs a command by its id, without the palette; not like a person, for what only prepares a test. */
  execute(command: string, ...args: unknown[]): Promise<unknown> {
    return this.model.execute(command, ...args);
  }

  /** Shows the Portico container. */
  async openPortico(): Promise<void> {
    const icon = this.page.locator('.activitybar .action-item:has([aria-label^="Portico"])');
    await icon.waitFor();
    const isOpen = await icon.evaluate((element) => element.classList.contains('checked'));
    if (!isOpen) {
      await icon.click();
    }
    await this.page.locator('.part.sidebar > .title', { hasText: 'Portico' }).waitFor();
  }

  /** Edits the list of folders in the file of a workspace, as a person may by hand; the editor follows. */
  useFolders(folders: readonly WorkspaceFolder[]): void {
    writeFolders(this.folder, folders);
  }

  /** *Reload Window*: what is open is saved, unlike by a reload of the page; the extension host starts anew. */
  async reload(): Promise<void> {
    await this.model.whileRestarting(async () => {
      const loaded = this.page.waitForEvent('load');
      // Its answer is lost with the extension host.
      void this.execute('workbench.action.reloadWindow').catch(() => undefined);
      await loaded;
      await this.page.waitForSelector('.monaco-workbench');
    });
  }

  /** A button of the modal dialog that is open, by its text. */
  modalButton(text: string): Locator {
    return this.page.locator('.monaco-dialog-box .monaco-button').filter({ hasText: text });
  }

  /** Message and detail of the modal dialog, once it is open. */
  modalText(): Promise<string> {
    return this.page.locator('.monaco-dialog-box .dialog-message-container').innerText();
  }

  /** The text of the active editor as the person sees it: the lines in sight. */
  async editorText(): Promise<string> {
    const lines = this.page.locator('.editor-group-container.active .view-lines').first();
    await lines.waitFor();
    return (await lines.innerText()).replaceAll('\u00a0', ' ');
  }

  /** Waits until the active editor shows `text`. */
  async waitForEditorText(text: string): Promise<void> {
    await until(`an editor with ${text}`, async () => {
      const lines = this.page.locator('.editor-group-container.active .view-lines').first();
      return (await lines.isVisible()) && (await this.editorText()).includes(text);
    });
  }

  clipboard(): Promise<string> {
    return this.page.evaluate('navigator.clipboard.readText()');
  }

  /** The number at Portico's icon; empty without one. */
  async badge(): Promise<string> {
    const badge = this.page.locator('.activitybar .action-item:has([aria-label^="Portico"]) .badge-content');
    return (await badge.count()) > 0 ? badge.first().innerText() : '';
  }

  /** What the status bar says of forwarded ports. */
  ports(): Promise<string[]> {
    return this.page.locator('.part.statusbar .statusbar-item[id*="remote.forwardedPorts"]').allInnerTexts();
  }

  /** Drags the side bar's edge. */
  async resizeSideBar(width: number): Promise<void> {
    const sidebar = this.page.locator('.part.sidebar');
    const box = await sidebar.boundingBox();
    if (!box) {
      throw new Error('The side bar is closed.');
    }
    const [edge, y] = [box.x + box.width, box.y + box.height / 2];
    await this.page.mouse.move(edge, y);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + width, y, { steps: 5 });
    await this.page.mouse.up();
    await until(`a side bar of ${width} px`, async () => {
      const now = await sidebar.boundingBox();
      return Math.abs((now?.width ?? 0) - width) <= 4;
    });
  }

  /** Titles of the open editors. */
  tabs(): Promise<string[]> {
    return this.page
      .locator('.tabs-container .tab')
      .evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('data-resource-name') ?? ''));
  }

  /** The items of the status bar whose text or label contains `text`. */
  statusItem(text: string): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text });
  }

  /** The content of the visible webview that contains `selector`. */
  webview(): ReturnType<Page['frameLocator']> {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** Writes <folder>/<name>.png and gives its path. What the mouse rests on says nothing over it. */
  async screenshot(name: string, folder = join('out', 'screenshots')): Promise<string> {
    const path = join(folder, `${name}.png`);
    await this.page.mouse.move(0, 0);
    await this.page.locator('.workbench-hover').waitFor({ state: 'detached' });
    await this.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    return path;
  }

  /** Changes the colour theme while the workbench is open. */
  async useTheme(theme: keyof typeof themes): Promise<void> {
    await this.execute('scriptedModel.updateSetting', 'workbench.colorTheme', themes[theme]);
    const kind = { light: '.vs', dark: '.vs-dark', highContrast: '.hc-black' }[theme];
    await this.page.locator(`.monaco-workbench${kind}`).waitFor();
  }
}

const workspaceFile = 'test.code-workspace';

function writeFolders(folder: string, folders: readonly WorkspaceFolder[]): void {
  for (const { path } of folders) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  writeFileSync(join(folder, workspaceFile), JSON.stringify({ folders }, undefined, 2));
}

/** Nothing of the editor's own asks for attention in the tests' pictures. */
const quiet = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  // Otherwise the chat's input carries an advice to set these.
  'chat.utilityModel': 'none/none',
  'chat.utilitySmallModel': 'none/none',
};
