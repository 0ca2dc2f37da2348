import { fillInVacation, scenarioServers } from '../driver/scenario';
import { shelves } from '../driver/shelf';
import { Workbench } from '../driver/workbench';

const size = { width: 1200, height: 720 };

/**
 * Pictures of resources, prompts and a question of a server: the tree and a template, the steps of a prompt and its
 * draft, then `@portico` with the tools of three servers.
 */
export async function vacationTour(folder: string): Promise<void> {
  const workbench = await Workbench.open({
    settings: { 'portico.servers': { ...shelves('library'), ...scenarioServers } },
    files: { 'today.md': '# Today\n\nHigh tide at noon, low tide at 18:10.\n' },
    size,
  });
  try {
    await workbench.execute('workbench.action.closeAuxiliaryBar');
    await workbench.openPortico();
    await workbench.runCommand('Portico: Start All Servers');
    for (const name of ['library', 'travel', 'weather', 'calendar']) {
      await workbench.tree.of('Servers').row(`${name}, ready`).waitFor();
    }
    await workbench.tree.openView('Resources');
    await workbench.tree.closeView('Servers');
    await resources(workbench, folder);
    await prompt(workbench, folder);
    await scenario(workbench, folder);
  } finally {
    await workbench.close();
  }
}

async function resources(workbench: Workbench, folder: string): Promise<void> {
  const { page, quickInput, tree } = workbench;
  const view = tree.of('Resources');
  for (const row of ['library, 6 resources', 'shelf://notes', 'shelf://pictures', 'shelf://reports', '1 template']) {
    await view.expand(row);
  }
  await view.select('year, from library');
  await view.row('3 parts').waitFor();
  await view.select('today.md, Markdown, from library');
  await workbench.waitForEditorText('High tide at noon');
  await page.mouse.move(0, 0);
  await workbench.screenshot('resources', folder);
  await view.action('A book, template', 'Open Resource Template');
  await quickInput.waitForTitle('topic');
  await quickInput.pick('travel');
  await quickInput.waitForTitle('title');
  await quickInput.row('Eothen').waitFor();
  await workbench.screenshot('template', folder);
  await quickInput.pick('Eothen');
  await workbench.waitForEditorText('Eothen, travel');
  await workbench.execute('workbench.action.closeAllEditors');
  await view.collapse('library, 6 resources');
}

async function prompt(workbench: Workbench, folder: string): Promise<void> {
  const { page, quickInput } = workbench;
  await workbench.runCommand('Portico: Run Prompt…');
  await quickInput.row('Plan a vacation').waitFor();
  await workbench.screenshot('prompt-pick', folder);
  await quickInput.pick('Plan a vacation');
  await quickInput.waitForTitle('destination *');
  await quickInput.row('Lisbon').waitFor();
  await workbench.screenshot('prompt-step', folder);
  await quickInput.pick('Barcelona');
  await fillInVacation(quickInput);
  await quickInput.row('Send to @portico').waitFor();
  await workbench.waitForEditorText('Plan a vacation in Barcelona');
  await page.mouse.move(0, 0);
  await workbench.screenshot('prompt-preview', folder);
  await quickInput.cancel();
  await workbench.chat.open('ask');
  await page.locator('.editor-group-container.active .editor-actions [aria-label^="Send to @portico"]').click();
}

async function scenario(workbench: Workbench, folder: string): Promise<void> {
  const { chat, form, model, page, tree } = workbench;
  const view = tree.of('Resources');
  for (const row of ['weather, 1 resource', 'travel://preferences', 'calendar, 1 resource', 'calendar://']) {
    await view.expand(row);
  }
  await view.select('Travel preferences, Markdown, from weather', 'June 2024, plain text, from calendar');
  await view.contextMenu('June 2024, plain text, from calendar', 'Add to Chat');
  await chat.waitForInput('@portico', 'Plan a vacation', 'europe', 'June-2024');
  await workbench.execute('workbench.action.closeAllEditors');
  await model.script(
    {
      say: 'The calendar is free from the 15th, and you like a seat at the window.',
      call: [
        { tool: 'travel_searchFlights', args: { origin: 'New York', destination: 'Barcelona', date: '2024-06-15' } },
      ],
    },
    { call: [{ tool: 'travel_bookFlight', args: { flight: 'IB 6250' } }] },
    { say: 'Your flight is booked, with a seat at the window. Shall I mark the days in the calendar?' },
  );
  await chat.sendInput();
  await chat.responses.last().filter({ hasText: 'Allow searchFlights of travel?' }).waitFor();
  await chat.approvalButton('Allow Once', 0).waitFor();
  await workbench.screenshot('vacation-asks', folder);
  await chat.approvalButton('Allow Once', 0).click();
  await chat.responses.last().filter({ hasText: 'Allow bookFlight of travel?' }).waitFor();
  await chat.approvalButton('Allow Once', 1).click();
  await form.frame.locator('#about:focus').waitFor();
  await form.field('Seat').selectOption({ label: 'window' });
  await form.field('Book it').check();
  await form.waitForPreview({ seat: 'window', confirm: true });
  await workbench.screenshot('vacation-form', folder);
  await page.keyboard.press('Control+Enter');
  await chat.waitForAnswer('Your flight is booked');
  await tree.openView('Activity');
  await tree.row('bookFlight, done').waitFor();
  await page.mouse.move(0, 0);
  await workbench.screenshot('vacation', folder);
}
