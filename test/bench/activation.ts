import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../harness/browser.mjs';
import { openPage } from '../harness/page.mjs';
import { EditorServer } from '../harness/server.mjs';
import { atMost, type Figure, median } from './measure';

const rounds = 3;

/** What is loaded when Portico is activated, and how long that takes beside an extension that does nothing. */
export async function activation(): Promise<Figure[]> {
  const times = await activationTimes([/^portico-mcp\.portico$/, /^portico-test\.empty$/]);
  const [portico, empty] = times.map(median) as [number, number];
  return [
    atMost('activation', 'bytes loaded', loadedBytes('dist/extension.js') / 1024, 'KB', 150),
    atMost('activation', 'empty extension', empty, 'ms'),
    atMost('activation', 'Portico − empty extension', portico - empty, 'ms', 20),
  ];
}

/** The size of a bundle with all the chunks that it imports statically. */
function loadedBytes(entry: string): number {
  const seen = new Set<string>();
  const visit = (file: string): number => {
    if (seen.has(file)) {
      return 0;
    }
    seen.add(file);
    const code = readFileSync(file, 'utf8');
    const imports = [...code.matchAll(/(?:\bfrom|\bimport)\s*"(\.[^"]+)"/g)].map(([, path]) =>
      join(dirname(file), path!),
    );
    return Buffer.byteLength(code) + imports.reduce((sum, path) => sum + visit(path), 0);
  };
  return visit(entry);
}

/** Activation times in milliseconds as the editor itself reports them, by extension, one for each round. */
async function activationTimes(names: readonly RegExp[]): Promise<number[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-activation-'));
  const server = await EditorServer.start();
  const browser = await launchBrowser();
  try {
    // High enough for all rows, as only those in sight exist.
    const page = await browser.newPage({ viewport: { width: 1000, height: 3_000 } });
    const development = [resolve('.'), resolve('test/fixtures/extensions/empty')];
    await openPage(page, server, { folder, development });
    const times = names.map((): number[] => []);
    for (let round = 0; round < rounds; round += 1) {
      const found = await runningExtensions(page, names);
      found.forEach((time, index) => times[index]!.push(time));
      await page.reload();
      await page.waitForSelector('.monaco-workbench');
    }
    return times;
  } finally {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads *Developer: Show Running Extensions*. */
async function runningExtensions(page: Page, names: readonly RegExp[]): Promise<number[]> {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget .quick-input-box input').fill('>Developer: Show Running Extensions');
  await page.locator('.quick-input-list .monaco-list-row').first().click();
  const times: number[] = [];
  for (const name of names) {
    const row = page.locator('.runtime-extensions-editor .monaco-list-row', {
      has: page.locator('.name', { hasText: name }),
    });
    const text = await row.locator('.activation-time', { hasText: /\d/ }).innerText({ timeout: 120_000 });
    times.push(Number(/([\d.]+)\s*ms/.exec(text)?.[1]));
  }
  return times;
}
