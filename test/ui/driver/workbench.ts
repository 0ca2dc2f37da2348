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
// Everything waits for a state and fails with a timeout that names it; never wait for a time. A state tells something only
// when the step before alone can have made it: `@portico` in the box of the chat, a dialog, an answer in an editor or a
// process may be those of an earlier step; a title may be there before its list, a button before the keyboard is on it. The
// methods here know that (`answer`, `chat.waitForInput`, `quickInput.focus`, `tree.tooltip`, `waitForEditorJson`,
// `untilEqual`): take them where there is one. What a test needs beside them it takes from `workbench.page` (Playwright),
// and reads nothing right after an action. Run one: `npm run test:ui -- --grep "servers view"`.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../../harness/browser.mjs';
import { openPage } from '../../harness/page.mjs';
import { EditorServer } from '../../harness/server.mjs';
import { Chat } from './chat';
import { Form, webviewIn } from './form';
import { Notifications } from './notifications';
import { QuickInput } from './quickInput';
import { restMouse } from './restMouse';
import { ScriptedModel } from './scriptedModel';
import { Tree } from './tree';
import { patienceMilliseconds, until, untilEqual } from './until';
import { packagedExtensions } from './packagedExtensions';

export const themes = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  highContrast: 'Default High Contrast',
};

/** Rows that are out of sight are not there: so high that all of a test's are in it. */
const roomy = { width: 1400, height: 1300 };

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
      const context = await browser.newContext({ viewport: options.size ?? roomy });
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const page = await context.newPage();
      page.setDefaultTimeout(patienceMilliseconds);
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
    const palette = this.page.locator('.quick-input-widget:visible input[placeholder^="Type the name of a command"]');
    // By its command: a webview that is still loading would swallow the key.
    await this.execute('workbench.action.showCommands');
    await palette.fill(`>${title}`);
    await this.quickInput.pick(title);
    // The box of the command's own first question is the same one.
    await palette.waitFor({ state: 'detached' });
  }

  /** Opens a file of the folder in the editor, with the keyboard in it. */
  async openFile(name: string, text: string): Promise<void> {
    await this.execute('workbench.action.quickOpen', name);
    await this.quickInput.pick(name);
    await this.waitForEditorText(text);
    await this.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
  }

  /** Runs a command by its id, without the palette; not like a person, for what only prepares a test. */
  execute(command: string, ...args: unknown[]): Promise<unknown> {
    return this.model.execute(command, ...args);
  }

  /** Begins a command that does not end before the person has answered it; how it ended is seen in the workbench. */
  begin(command: string, ...args: unknown[]): void {
    void this.execute(command, ...args).catch(() => undefined);
  }

  /** Shows the Portico container. Not by its icon, which closes it too where the editor has just restored it. */
  async openPortico(): Promise<void> {
    await this.page.locator('.activitybar .action-item:has([aria-label^="Portico"])').waitFor();
    await this.execute('workbench.view.extension.portico');
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

  /** Clicks a button of the modal dialog and sees it go: what is asked next is another dialog. */
  async answer(button: string): Promise<void> {
    const dialog = await this.dialogWith(button, '.monaco-button').elementHandle();
    await this.modalButton(button).click();
    await dialog?.waitForElementState('hidden');
  }

  /** The same by Enter, once the keyboard is on the button. */
  async answerByKeyboard(button: string): Promise<void> {
    const dialog = await this.dialogWith(button, '.monaco-button:focus').elementHandle();
    await this.page.keyboard.press('Enter');
    await dialog?.waitForElementState('hidden');
  }

  /** Closes the modal dialog by Escape. */
  async dismiss(): Promise<void> {
    const dialog = await this.page.locator('.monaco-dialog-box:has(:focus)').elementHandle();
    await this.page.keyboard.press('Escape');
    await dialog?.waitForElementState('hidden');
  }

  /** Message and detail of the modal dialog, once it is open. */
  modalText(): Promise<string> {
    return this.page.locator('.monaco-dialog-box .dialog-message-container').innerText();
  }

  /** The text of the active editor as the person sees it: the lines in sight. */
  async editorText(): Promise<string> {
    const lines = this.page.locator('.editor-group-container.active .view-lines').first();
    return (await lines.innerText()).replaceAll('\u00a0', ' ');
  }

  /** Waits until the active editor shows `text`; gives all that it shows. */
  async waitForEditorText(text: string): Promise<string> {
    const lines = this.page.locator('.editor-group-container.active .view-lines');
    let shown = '';
    await until(`an editor with ${text}`, async () => {
      const [first = ''] = await lines.allInnerTexts();
      shown = first.replaceAll('\u00a0', ' ');
      return shown.includes(text);
    });
    return shown;
  }

  /**
   * Follows the link of the active editor's text that shows `text` on one line, by Ctrl or Cmd and the mouse. Not by a click
   * with a modifier: the key makes the editor draw the line anew, and the click is then refused as one beside its element.
   */
  async followLink(text: string): Promise<void> {
    const editor = this.page.locator('.editor-group-container.active .monaco-editor.focused');
    await editor.locator('.detected-link', { hasText: text }).hover();
    await this.page.keyboard.down('ControlOrMeta');
    try {
      await editor.locator('.detected-link-active', { hasText: text }).waitFor();
      await this.page.mouse.down();
      await this.page.mouse.up();
    } finally {
      await this.page.keyboard.up('ControlOrMeta');
    }
  }

  /** Waits until the active editor shows a whole JSON text with `part` in it; gives what it says. */
  async waitForEditorJson(part: string): Promise<unknown> {
    let value: unknown;
    await until(`an editor with JSON and ${part}`, async () => {
      try {
        const text = await this.editorText();
        value = JSON.parse(text);
        return text.includes(part);
      } catch (error) {
        if (error instanceof SyntaxError) {
          return false;
        }
        throw error;
      }
    });
    return value;
  }

  clipboard(): Promise<string> {
    return this.page.evaluate('navigator.clipboard.readText()');
  }

  /** The number at Portico's icon; empty without one. */
  async badge(): Promise<string> {
    const badge = this.page.locator('.activitybar .action-item:has([aria-label^="Portico"]) .badge-content');
    return (await badge.allInnerTexts())[0] ?? '';
  }

  async waitForBadge(text: string): Promise<void> {
    await untilEqual(() => this.badge(), text);
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

  async waitForTabs(titles: readonly string[]): Promise<void> {
    await untilEqual(() => this.tabs(), [...titles]);
  }

  /** The items of the status bar whose text or label contains `text`. */
  statusItem(text: string): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text });
  }

  /** The content of the webview in sight. */
  webview(): FrameLocator {
    return webviewIn(this.page);
  }

  /** Writes <folder>/<name>.png and gives its path. What the mouse rests on says nothing over it. */
  async screenshot(name: string, folder = join('out', 'screenshots')): Promise<string> {
    const path = join(folder, `${name}.png`);
    await restMouse(this.page);
    await this.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    return path;
  }

  /** Changes the colour theme while the workbench is open. */
  async useTheme(theme: keyof typeof themes): Promise<void> {
    await this.execute('scriptedModel.updateSetting', 'workbench.colorTheme', themes[theme]);
    const kind = { light: '.vs', dark: '.vs-dark', highContrast: '.hc-black' }[theme];
    await this.page.locator(`.monaco-workbench${kind}`).waitFor();
  }

  private dialogWith(button: string, selector: string): Locator {
    return this.page.locator('.monaco-dialog-box', { has: this.page.locator(selector, { hasText: button }) });
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
