import type { Locator, Page } from 'playwright-core';

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

  async select(label: string): Promise<void> {
    await this.row(label).first().click();
  }

  /**
   * Goes to a row with the arrow keys alone, from the top, opening what stands above it; the keyboard must be in the
   * view. Fails at the bottom.
   */
  async walkTo(label: string): Promise<void> {
    const { keyboard } = this.page;
    const focused = this.page.locator(`${this.place} .monaco-list-row.focused[role=treeitem]`);
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
    const row = this.row(label).first();
    await row.waitFor();
    if ((await row.getAttribute('aria-expanded')) === 'false') {
      await row.locator('.monaco-tl-twistie').click();
      await this.page
        .locator(`${this.place} [role=treeitem][aria-label*=${JSON.stringify(label)}][aria-expanded=true]`)
        .waitFor();
    }
  }

  /** Opens the first group of that name in sight, below a server that is open. */
  async expandGroup(name: 'Tools' | 'Prompts'): Promise<void> {
    const rows = this.page.locator(`${this.place} [role=treeitem]`);
    const group = rows.filter({ has: this.page.locator('.label-name').getByText(name, { exact: true }) }).first();
    await group.locator('.monaco-tl-twistie').click();
  }

  async collapse(label: string): Promise<void> {
    const row = this.row(label).first();
    await row.locator('.monaco-tl-twistie').click();
    await this.page
      .locator(`${this.place} [role=treeitem][aria-label*=${JSON.stringify(label)}][aria-expanded=false]`)
      .waitFor();
  }

  /** The text of a row's tooltip. */
  async tooltip(label: string): Promise<string> {
    await this.page.mouse.move(0, 0);
    await this.row(label).first().locator('.label-name').hover();
    const hover = this.page.locator('.workbench-hover');
    await hover.waitFor();
    const text = (await hover.innerText()).replaceAll(/\s+/g, ' ');
    await this.page.keyboard.press('Escape');
    await hover.waitFor({ state: 'detached' });
    return text;
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
    await row.hover();
    await row.locator(`.actions .action-label[aria-label^=${JSON.stringify(title)}]`).click();
  }

  /** Titles of a row's inline actions. */
  async actions(label: string): Promise<string[]> {
    const row = this.row(label).first();
    await row.hover();
    return row
      .locator('.actions .action-label')
      .evaluateAll((actions) => actions.map((action) => action.getAttribute('aria-label') ?? ''));
  }

  /** Runs an entry of a row's context menu. */
  async contextMenu(label: string, entry: string): Promise<void> {
    await this.row(label).first().click({ button: 'right' });
    const item = this.page.locator('.context-view .monaco-menu .action-item', { hasText: entry });
    // A menu ignores the clicks of its first moment, as they may have been meant for what lay below it.
    await item.hover();
    await item.and(this.page.locator('.focused')).waitFor();
    await this.page.keyboard.press('Enter');
    await item.waitFor({ state: 'detached' });
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
    await header.waitFor();
    if ((await header.getAttribute('aria-expanded')) !== String(open)) {
      await header.click();
      await this.page.locator(`.sidebar .pane-header[aria-label^="${view}"][aria-expanded=${open}]`).waitFor();
    }
  }
}

function paneOf(view: string): string {
  return `.sidebar .pane:has(> .pane-header[aria-label^=${JSON.stringify(view)}])`;
}
