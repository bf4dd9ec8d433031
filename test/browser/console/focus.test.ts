import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { aBatch } from '../../api/batch-calls/support.js';
import { useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { openConsole } from './support.js';

useApi();

/** What this test asks of elements, in the page. */
interface Place {
  readonly name: string;
  readonly isSeen: boolean;
  /** Where it stands among all that can be reached, in the order in which the page is read. */
  readonly order: number;
}

/** How an element is drawn, as far as it says that it has the focus. */
const look = `const lookOf = (element) => {
  const { outline, boxShadow, borderColor, backgroundColor, top, transform, translate, clipPath } = getComputedStyle(element);
  return JSON.stringify([outline, boxShadow, borderColor, backgroundColor, top, transform, translate, clipPath]);
};`;

/** Numbers, in the order of the document, all that somebody can use: once for a group of radios. */
const marked = `(() => {
  ${look}
  const usable = 'a[href], button, input, select, textarea, summary, audio[controls], [tabindex="0"]';
  const groups = new Set();
  let order = 0;
  const mark = (element) => {
    element.dataset.order = String(order++);
    element.dataset.look = lookOf(element);
  };
  for (const element of document.querySelectorAll(usable)) {
    const isThere = element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled, [tabindex="-1"]');
    if (!isThere) continue;
    if (element.type === 'radio') {
      if (groups.has(element.name)) continue;
      groups.add(element.name);
      const chosen = document.querySelector('input[type=radio][name="' + CSS.escape(element.name) + '"]:checked');
      mark(chosen ?? element);
    } else mark(element);
  }
  return order;
})()`;

/** What has the focus, and whether somebody sees that it has. */
const focused = `(() => {
  ${look}
  const element = document.activeElement;
  const at = element.getBoundingClientRect();
  const isOn = at.width > 0 && at.height > 0 && at.bottom > 0 && at.top < innerHeight && at.right > 0 && at.left < innerWidth;
  for (const transition of element.getAnimations()) transition.finish();
  const isMarked = element.dataset.look !== lookOf(element);
  return {
    name: element.outerHTML.slice(0, 200),
    isSeen: isOn && isMarked,
    order: element.dataset.order === undefined ? -1 : Number(element.dataset.order),
  };
})()`;

/** Parts of all fields of a page that are for dates and times, at most. */
const mostParts = 40;

const hasFocus = async (page: Page, selector: string) => {
  await page.locator(selector).and(page.locator(':focus')).waitFor();
};

describe.skipIf(noBrowser !== undefined)(`the focus, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
  });
  const open = (path: string, width = 1_280) => openConsole(browser, served, path, { width });

  const pages = [
    ...['/', '/new', '/batches', '/campaigns', '/calls', '/people', '/do-not-call', '/guardrails', '/agents'],
    ...['/knowledge', '/tools', '/gateways', '/numbers', '/rules', '/webhooks', '/keys', '/usage', '/prices'],
    ...['/audit-log', '/defaults', '/campaigns/new'],
  ];

  /** Goes through the page by the Tab key, from its beginning. */
  async function walk(page: Page, path: string): Promise<void> {
    const count = await page.evaluate<number>(marked);
    const met: Place[] = [];
    for (let tabs = 0; met.length < count && tabs < count + mostParts; tabs += 1) {
      await page.keyboard.press('Tab');
      const place = await page.evaluate<Place>(focused);
      // A field for a date or a time has parts, which the Tab key goes through.
      const isPart = place.order === met.at(-1)?.order && /type="(?:date|time)/.test(place.name);
      if (!isPart) met.push(place);
    }
    expect({ path, unseen: met.filter(({ isSeen }) => !isSeen).map(({ name }) => name) }).toEqual({ path, unseen: [] });
    expect({ path, order: met.map(({ order }) => order) }).toEqual({
      path,
      order: Array.from({ length: count }, (_, order) => order),
    });
  }

  test.each([1_280, 360])(
    'at %i px the Tab key reaches all that can be used on every page, in reading order, and is seen where it is',
    async (width) => {
      const { batchId } = await aBatch({ status: 'running' });
      for (const path of [...pages, `/batches/${batchId}`, `/batches/${batchId}?view=settings`]) {
        const { page } = await open(path, width);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
        await walk(page, path);
        await page.close();
      }
    },
  );

  test('at 360 px the navigation is reached once it is opened, and what is beside the screen never is', async () => {
    const { page } = await open('/tools', 360);
    const link = page.getByRole('link', { name: 'Guardrails', exact: true });
    const burger = page.getByRole('button', { name: 'Open the navigation' });
    await burger.waitFor();
    expect(await link.count()).toBe(0);
    await burger.focus();
    await page.keyboard.press('Enter');
    await link.waitFor();
    for (let tabs = 0; tabs < 40 && (await link.and(page.locator(':focus')).count()) === 0; tabs += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Guardrails' }).waitFor();
    await hasFocus(page, '#main');
    expect(await link.count()).toBe(0);
  });

  test('the first Tab leads to a link that skips to the page; a page that is opened takes the focus', async () => {
    const { page } = await open('/batches');
    await page.getByRole('heading', { level: 1, name: 'Batch calls' }).waitFor();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the page' });
    await skip.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await hasFocus(page, '#main');
    await page.getByRole('link', { name: 'Guardrails', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Guardrails' }).waitFor();
    await hasFocus(page, '#main');
    expect(await page.title()).toBe('Guardrails · Outdial');
  });
});
