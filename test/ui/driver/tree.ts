import type { Locator, Page } from 'playwright-core';

/** Rows of the views in the side bar, by what a screen reader says of them. */
export class Tree {
  constructor(private readonly page: Page) {}

  /** Rows whose screen reader label contains `label`. */
  row(label: string): Locator {
    return this.page.locator(`.sidebar [role=treeitem][aria-label*=${JSON.stringify(label)}]`);
  }

  /** Screen reader labels of all rows in sight, from top to bottom. */
  labels(): Promise<string[]> {
    return this.page
      .locator('.sidebar [role=treeitem]')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
  }

  /** What stands beside the labels of all rows in sight, from top to bottom. */
  descriptions(): Promise<string[]> {
    return this.page.locator('.sidebar [role=treeitem] .label-description').allInnerTexts();
  }

  async select(label: string): Promise<void> {
    await this.row(label).first().click();
  }

  /** Opens a row that has children. */
  async expand(label: string): Promise<void> {
    const row = this.row(label).first();
    await row.waitFor();
    if ((await row.getAttribute('aria-expanded')) === 'false') {
      await row.locator('.monaco-tl-twistie').click();
      await this.page
        .locator(`.sidebar [role=treeitem][aria-label*=${JSON.stringify(label)}][aria-expanded=true]`)
        .waitFor();
    }
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

  /** Opens the context menu of a row by keyboard, and runs an entry of it. */
  async contextMenu(label: string, entry: string): Promise<void> {
    await this.select(label);
    await this.page.keyboard.press('Shift+F10');
    await this.page.locator('.context-view .monaco-menu .action-item', { hasText: entry }).click();
  }

  /** Clicks an action of a view's title; the view is named as its header reads. */
  async titleAction(view: string, title: string): Promise<void> {
    const pane = this.page.locator('.sidebar .pane', { has: this.page.locator(`.pane-header[aria-label^="${view}"]`) });
    await pane.locator('.pane-header').hover();
    await pane.locator(`.pane-header .action-label[aria-label^="${title}"]`).click();
  }

  /** Opens a view's section when it is closed. */
  async openView(view: string): Promise<void> {
    const header = this.page.locator(`.sidebar .pane-header[aria-label^="${view}"]`);
    await header.waitFor();
    if ((await header.getAttribute('aria-expanded')) === 'false') {
      await header.click();
      await this.page.locator(`.sidebar .pane-header[aria-label^="${view}"][aria-expanded=true]`).waitFor();
    }
  }
}
