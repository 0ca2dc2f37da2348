// The scripted tour of `npm start -- --headless`: walks through Portico like a person and takes pictures, of which those of
// the README are cut out.
import { everyState, reachEveryState } from '../driver/everyState';
import { realServer } from '../driver/servers';
import { type themes, Workbench, type WorkbenchOptions } from '../driver/workbench';
import { agentsTour } from './agents';
import { chatTour } from './chat';
import { vacationTour } from './vacation';

const size = { width: 1200, height: 720 };
const servers = { everything: realServer('everything', 'stdio') };

/** Writes the pictures into `folder`. */
export async function main(folder: string): Promise<void> {
  await inWorkbench({ size }, (workbench) => addServer(workbench, folder));
  await inWorkbench({ ...everyState, size }, (workbench) => everyServer(workbench, folder));
  await inWorkbench({ settings: { 'portico.servers': servers }, size }, (workbench) => runTool(workbench, folder));
  await chatTour(folder);
  await vacationTour(folder);
  await agentsTour(folder);
  console.log(`pictures in ${folder}`);
}

async function inWorkbench(options: WorkbenchOptions, visit: (workbench: Workbench) => Promise<void>): Promise<void> {
  const workbench = await Workbench.open(options);
  try {
    await workbench.execute('workbench.action.closeAuxiliaryBar');
    await workbench.openPortico();
    await visit(workbench);
  } finally {
    await workbench.close();
  }
}

async function addServer(workbench: Workbench, folder: string): Promise<void> {
  const { page, quickInput } = workbench;
  const welcome = page.locator('.sidebar .welcome-view-content .monaco-button', { hasText: 'Add Server…' });
  await welcome.waitFor();
  await workbench.screenshot('emptyState', folder);
  await welcome.click();
  await quickInput.type('claude mcp add memory -- npx -y @modelcontextprotocol/server-memory');
  await quickInput.waitForMessage('name memory');
  await workbench.screenshot('addServer', folder);
  await quickInput.accept();
  await quickInput.waitForTitle('Add Server (2/2)');
  await workbench.screenshot('addServer-where', folder);
  await quickInput.cancel();
}

async function everyServer(workbench: Workbench, folder: string): Promise<void> {
  await workbench.resizeSideBar(440);
  await reachEveryState(workbench);
  await inThemes(workbench, 'servers', folder);
  await workbench.tree.action('slack, not approved', 'Review Server');
  await workbench.modalButton('Run Server').waitFor();
  await workbench.screenshot('consent', folder);
  await workbench.answer('Keep Off');
}

async function runTool(workbench: Workbench, folder: string): Promise<void> {
  const { form, page, tree } = workbench;
  await tree.action('everything, stopped', 'Start Server');
  await tree.row('everything, ready').waitFor();
  await tree.expand('everything, ready');
  await tree.expandGroup('Tools');
  await tree.action('Get Sum Tool, tool', 'Run Tool');
  await form.waitForFocus('a');
  await page.keyboard.type('19');
  await page.keyboard.press('Tab');
  await form.waitForFocus('b');
  await page.keyboard.type('23');
  await form.waitForPreview({ a: 19, b: 23 });
  await workbench.screenshot('runTool-form', folder);
  await page.keyboard.press('Control+Enter');
  await workbench.waitForEditorText('The sum of 19 and 23 is 42.');
  await workbench.screenshot('runTool-result', folder);
  await tree.collapse('everything, ready');
  await tree.openView('Activity');
  await tree.row('get-sum, done').click();
  await workbench.waitForEditorText('"a": 19');
  await inThemes(workbench, 'activity', folder);
}

async function inThemes(workbench: Workbench, name: string, folder: string): Promise<void> {
  for (const theme of ['dark', 'highContrast', 'light'] satisfies (keyof typeof themes)[]) {
    await workbench.useTheme(theme);
    await workbench.screenshot(theme === 'light' ? name : `${name}-${theme}`, folder);
  }
}
