import axe from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { here } from '../../api/support.js';
import { complaintsOf, type ServedApp } from '../browser.js';

interface Opened {
  readonly page: Page;
  /** What the page has complained of: scripts that fail, and whatever its policy forbids. */
  readonly complaints: readonly string[];
}

interface Look {
  readonly width?: number;
  readonly colours?: 'light' | 'dark';
}

const contexts = new WeakMap<Browser, Promise<BrowserContext>>();

/** Tabs of one browser share what it has loaded. Who is signed in is a tab's own, and the console keeps nothing else. */
function contextOf(browser: Browser): Promise<BrowserContext> {
  // Dialogs are there at once: none is judged, or clicked, while it moves.
  const context = contexts.get(browser) ?? browser.newContext({ reducedMotion: 'reduce' });
  contexts.set(browser, context);
  return context;
}

/** An empty tab, until the test ends. */
export async function openTab(browser: Browser, { width = 1_280, colours = 'light' }: Look = {}): Promise<Opened> {
  const page = await (await contextOf(browser)).newPage();
  onTestFinished(() => page.close());
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: colours });
  return { page, complaints: complaintsOf(page) };
}

/** Opens a page of the console in a tab that is signed in, until the test ends. */
export async function openConsole(
  browser: Browser,
  served: ServedApp,
  path: string,
  { token = here().me.token, ...look }: Look & { readonly token?: string } = {},
): Promise<Opened> {
  const { page, complaints } = await openTab(browser, look);
  await page.addInitScript({ content: `sessionStorage.setItem('outdial.token', ${JSON.stringify(token)})` });
  await page.goto(`${served.url}/console${path}`);
  return { page, complaints };
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds wrong with the page as it is, each with its element. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async () =>
      (await (globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe.run()).violations,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}

/** Compares the page with what everyone can use, in both themes, and that nothing is wider than the screen. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect({ colorScheme, violations: await violationsOf(page) }).toEqual({ colorScheme, violations: [] });
  }
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
}

/** More than most dialogs have places: the focus comes round. */
const tabs = 12;

/** A part of a field, such as the calendar of a date, is the active element, and does not match `:focus`. */
const isInDialog = "document.activeElement.closest('[role=dialog]') !== null";

/** Opens a dialog by the keyboard, whose focus stays in it until Escape closes it and gives the focus back to what opened it. */
export async function expectFocusHeld(page: Page, opener: Locator): Promise<void> {
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await expect.poll(() => page.evaluate(isInDialog)).toBe(true);
  for (let tab = 0; tab < tabs; tab += 1) {
    await page.keyboard.press(tab === 0 ? 'Shift+Tab' : 'Tab');
    expect({ tab, isInDialog: await page.evaluate(isInDialog) }).toEqual({ tab, isInDialog: true });
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await opener.and(page.locator(':focus')).waitFor();
}

interface Segment {
  getAttribute(name: string): string | null;
}

/** The figures of a progress bar, by segment. */
export const segmentsOf = (page: Page, batch: string): Promise<Record<string, number>> =>
  page
    .getByRole('article', { name: batch })
    .locator('[data-segment]')
    .evaluateAll((all) =>
      Object.fromEntries(
        (all as unknown as Segment[]).map((each) => [
          String(each.getAttribute('data-segment')),
          Number(each.getAttribute('data-count')),
        ]),
      ),
    );
