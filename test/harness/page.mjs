// Opens the workbench in a browser page, configured before it starts.
import { format } from 'node:util';

/**
 * @typedef {object} PageOptions
 * @property {string} [folder] absolute path of a folder to open
 * @property {string} [workspace] absolute path of a .code-workspace file
 * @property {readonly string[]} [development] absolute paths of extensions under development
 * @property {string} [tests] absolute path of the module that exports `run`
 * @property {boolean} [agentMode] enables the bundled extension that the chat's agent mode needs; true if absent
 * @property {Record<string, unknown>} [defaults] defaults of settings, below what the person sets
 */

/**
 * Address and settings of the workbench; what it logs goes to `onLog`.
 * @param {import('playwright-core').Page} page
 * @param {import('./server.mjs').EditorServer} server
 * @param {PageOptions} options
 * @param {(line: string) => void} [onLog]
 * @returns {Promise<{ exited: Promise<number> }>} `exited`: the exit code of a test run
 */
export async function openPage(page, server, options, onLog = () => undefined) {
  const { folder, workspace, development = [], tests, agentMode = true, defaults = {} } = options;
  /** @type {(code: number) => void} */
  let finish = () => undefined;
  /** @type {Promise<number>} */
  const exited = new Promise((resolve) => (finish = resolve));
  await page.exposeFunction('codeAutomationLog', (type, args) => onLog(`${type}: ${format(...args)}`));
  await page.exposeFunction('codeAutomationExit', (code) => finish(code));
  // The bare server has no such address, and secrets would be lost on reload.
  await page.route('**/mint-key', (route) => route.fulfill({ status: 200, body: Buffer.alloc(32, 7) }));
  const remote = (path) => ({ $mid: 1, scheme: 'vscode-remote', authority: server.authority, path });
  await page.addInitScript(configureWorkbench, {
    enabledExtensions: agentMode ? ['GitHub.copilot-chat'] : [],
    configurationDefaults: defaults,
    // In the address's payload, where the desktop's arguments go, only one extension has a place.
    developmentOptions: {
      extensions: development.map(remote),
      ...(tests ? { extensionTestsPath: remote(tests) } : {}),
    },
  });
  const query = new URLSearchParams({
    ...(folder ? { folder } : {}),
    ...(workspace ? { workspace } : {}),
    ...(folder || workspace ? {} : { ew: 'true' }),
    payload: JSON.stringify([['skipWelcome', 'true']]),
  });
  await page.goto(`${server.url}?${query}`);
  await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
  return { exited };
}

/** Runs in the page: rewrites the configuration element as soon as the document has it. */
function configureWorkbench({ enabledExtensions, configurationDefaults, developmentOptions }) {
  const observer = new MutationObserver(() => {
    const element = document.getElementById('vscode-workbench-web-configuration');
    const text = element?.getAttribute('data-settings');
    if (!element || !text) {
      return;
    }
    observer.disconnect();
    const settings = JSON.parse(text);
    settings.enabledExtensions = [...(settings.enabledExtensions ?? []), ...enabledExtensions];
    settings.configurationDefaults = { ...settings.configurationDefaults, ...configurationDefaults };
    settings.developmentOptions = { ...settings.developmentOptions, ...developmentOptions };
    delete settings.productConfiguration?.proxyEndpointTemplate;
    element.setAttribute('data-settings', JSON.stringify(settings));
  });
  observer.observe(document, { childList: true, subtree: true, attributes: true });
}
