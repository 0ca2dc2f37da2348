import { errors, type Locator, type Page } from 'playwright-core';
import { restMouse } from './restMouse';
import { until, untilEqual } from './until';

/** So long a menu takes to come, and does not come after it. */
const menuMilliseconds = 3000;

/** Rows of the views in the side bar, by what a screen reader says of them. */
export class Tree {
  constructor(
    private readonly page: Page,
    /** Where the rows are: the whole side bar, or the section of one view. */
    private readonly place = '.sidebar',
  ) {}

  /** The rows of one view, named as its header reads. */
  of(view: string): Tree {
    return new Tree(this.page, paneOf(view));
  }

  /** Rows whose screen reader label contains `label`. */
  row(label: string): Locator {
    return this.page.locator(`${this.place} [role=treeitem][aria-label*=${JSON.stringify(label)}]`);
  }

  /** Screen reader labels of all rows in sight, from top to bottom. */
  labels(): Promise<string[]> {
    return this.page
      .locator(`${this.place} [role=treeitem]`)
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
  }

  /** What stands beside the labels of all rows in sight, from top to bottom. */
  descriptions(): Promise<string[]> {
    return this.page.locator(`${this.place} [role=treeitem] .label-description`).allInnerTexts();
  }

  /** Clicks a row, and further ones so that all are chosen. */
  async select(label: string, ...more: string[]): Promise<void> {
    await restMouse(this.page);
    await this.row(label).first().click();
    for (const other of more) {
      await this.row(other)
        .first()
        .click({ modifiers: ['ControlOrMeta'] });
    }
  }

  /**
   * Goes to a row with the arrow keys alone, from the top, opening what stands above it; the keyboard must be about to
   * come into the view. Fails at the bottom.
   */
  async walkTo(label: string): Promise<void> {
    const { keyboard } = this.page;
    const focused = this.page.locator(`${this.place} .monaco-list-row.focused[role=treeitem]`);
    await this.page.locator(`${this.place} .monaco-list:focus`).waitFor();
    await keyboard.press('Home');
    for (let last = ''; ;) {
      const spoken = (await focused.getAttribute('aria-label')) ?? '';
      if (spoken.includes(label)) {
        return;
      }
      const place = (await focused.getAttribute('data-index')) ?? '';
      if (place === last) {
        throw new Error(`No row says ${label}; the last says ${spoken}.`);
      }
      last = place;
      if ((await focused.getAttribute('aria-expanded')) === 'false') {
        await keyboard.press('ArrowRight');
        const level = Number(await focused.getAttribute('aria-level'));
        const below = `[data-index="${Number(place) + 1}"][aria-level="${level + 1}"]`;
        await this.page.locator(`${this.place} .monaco-list-row${below}`).waitFor();
      }
      await keyboard.press('ArrowDown');
    }
  }

  /** Opens a row that has children. */
  async expand(label: string): Promise<void> {
    await this.turnRow(this.row(label).first(), true);
  }

  /** Opens the first group of that name in sight, below a server that is open. */
  async expandGroup(name: 'Tools' | 'Prompts'): Promise<void> {
    const rows = this.page.locator(`${this.place} [role=treeitem]`);
    const label = this.page.locator('.label-name').getByText(name, { exact: true });
    await this.turnRow(rows.filter({ has: label }).first(), true);
  }

  async collapse(label: string): Promise<void> {
    await this.turnRow(this.row(label).first(), false);
  }

  /** The text of a row's tooltip. */
  async tooltip(label: string): Promise<string> {
    const text = await this.hover(label, (tooltip) => tooltip.allInnerTexts());
    return text.replaceAll(/\s+/g, ' ');
  }

  /** What a row's tooltip is made of. */
  async tooltipHtml(label: string): Promise<string> {
    return this.hover(label, (tooltip) => tooltip.evaluateAll((all) => all.map(({ innerHTML }) => innerHTML)));
  }

  /** Rows whose description is cut within its first word. */
  cutFirstWords(): Promise<string[]> {
    return this.page.locator(`${this.place} [role=treeitem]:has(.label-description)`).evaluateAll((rows) =>
      rows.flatMap((row) => {
        const text = row.querySelector('.label-description')?.firstChild;
        const box = row.querySelector('.monaco-icon-label-container')?.getBoundingClientRect();
        if (!text || !box) {
          return [];
        }
        const range = row.ownerDocument.createRange();
        range.setStart(text, 0);
        range.setEnd(text, (text.textContent ?? '').split(' ')[0]?.length ?? 0);
        return range.getBoundingClientRect().right <= box.right ? [] : [row.getAttribute('aria-label') ?? ''];
      }),
    );
  }

  /** Clicks an inline action of a row by its title. */
  async action(label: string, title: string): Promise<void> {
    const row = this.row(label).first();
    const action = row.locator(`.actions .action-label[aria-label^=${JSON.stringify(title)}]`);
    await restMouse(this.page);
    // The actions are those of the row below the mouse, and rows move as others come and go.
    await until(`the action ${title} of ${label}`, async () => {
      await row.hover();
      return action.isVisible();
    });
    await action.click();
  }

  /** Waits until these are the titles of a row's inline actions. */
  async waitForActions(label: string, titles: readonly string[]): Promise<void> {
    const actions = this.row(label).first().locator('.actions .action-label');
    await untilEqual(
      () => actions.evaluateAll((all) => all.map((action) => action.getAttribute('aria-label') ?? '')),
      [...titles],
    );
  }

  /** Runs an entry of a row's context menu. */
  async contextMenu(label: string, entry: string): Promise<void> {
    const menu = this.page.locator('.context-view .monaco-menu');
    const item = menu.locator('.action-item', { hasText: entry });
    await until(`${entry} in the menu of ${label}`, async () => {
      await restMouse(this.page);
      await this.row(label).first().click({ button: 'right' });
      const isThere = await this.turnTo(item);
      if (!isThere && (await menu.isVisible())) {
        await this.page.keyboard.press('Escape');
        await menu.waitFor({ state: 'detached' });
      }
      return isThere;
    });
    await this.page.keyboard.press('Enter');
    await item.waitFor({ state: 'detached' });
  }

  /**
   * Whether the mouse is on the entry of a menu, and with it the keyboard: a menu ignores the clicks of its first moment, as
   * they may have been meant for what lay below it. It is not when the view was drawn anew as the menu came: the editor
   * then takes the keyboard back into the view, and the menu closes.
   */
  private async turnTo(item: Locator): Promise<boolean> {
    try {
      await item.hover({ timeout: menuMilliseconds });
      await item.and(this.page.locator('.focused')).waitFor({ timeout: menuMilliseconds });
      return true;
    } catch (error) {
      if (error instanceof errors.TimeoutError) {
        return false;
      }
      throw error;
    }
  }

  /** Clicks an action of a view's title; the view is named as its header reads. */
  async titleAction(view: string, title: string): Promise<void> {
    const pane = this.page.locator(paneOf(view));
    await pane.locator('.pane-header').hover();
    await pane.locator(`.pane-header .action-label[aria-label^="${title}"]`).click();
  }

  /** Opens a view's section when it is closed. */
  openView(view: string): Promise<void> {
    return this.toggle(view, true);
  }

  closeView(view: string): Promise<void> {
    return this.toggle(view, false);
  }

  private async toggle(view: string, open: boolean): Promise<void> {
    const header = this.page.locator(`.sidebar .pane-header[aria-label^="${view}"]`);
    await this.turn(header, open, header);
  }

  private async turnRow(row: Locator, open: boolean): Promise<void> {
    await restMouse(this.page);
    await this.turn(row, open, row.locator('.monaco-tl-twistie'));
  }

  /** Opens or closes what says itself which of both it is. */
  private async turn(place: Locator, open: boolean, handle: Locator): Promise<void> {
    if ((await place.getAttribute('aria-expanded')) !== String(open)) {
      await handle.click();
    }
    await place.and(this.page.locator(`[aria-expanded=${open}]`)).waitFor();
  }

  /**
   * Reads a row's tooltip. A row that is drawn anew lets go of its tooltip, and of one that is about to come; the next
   * move of the mouse from one part of the row to another brings it. Otherwise such a move changes nothing.
   */
  private async hover(label: string, read: (tooltip: Locator) => Promise<string[]>): Promise<string> {
    const tooltip = this.page.locator('.workbench-hover');
    const row = this.row(label).first();
    await restMouse(this.page);
    let found: string | undefined;
    await until(`the tooltip of ${label}`, async () => {
      await row
        .locator('[custom-hover]')
        .first()
        .hover({ position: { x: 4, y: 11 } });
      await row.locator('.label-name').hover();
      const [text] = await tooltip.allInnerTexts();
      [found] = text === undefined || text.startsWith('Loading') ? [] : await read(tooltip);
      return found !== undefined;
    });
    await restMouse(this.page);
    return found ?? '';
  }
}

function paneOf(view: string): string {
  return `.sidebar .pane:has(> .pane-header[aria-label^=${JSON.stringify(view)}])`;
}
