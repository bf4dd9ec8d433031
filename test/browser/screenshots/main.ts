// npm run screenshots [-- --to <folder>] [-- --docs] [-- --only <page>,<page>]: pictures of every page of the console, of a service that
// makes simulated calls, in both themes and two widths. `--docs` writes those that README and docs show.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { createApi } from '../../../cli/demo/api-client.js';
import { runService } from '../../e2e/running-service.js';
import { openBrowser } from '../browser.js';
import { campaigns, fileOf } from './campaigns.js';
import { takeSetUp } from './set-up.js';

const { values } = parseArgs({
  options: { to: { type: 'string' }, docs: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const only = values.only?.split(',');
const docsFolder = resolve('docs/images');
const folder = values.docs ? docsFolder : resolve(values.to ?? 'test-results/screenshots');

/** Of the pages, those that README and docs show. */
const shownInDocs = new Set(['overview', 'batch', 'records', 'new']);
const looks = ([1_440, 360] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((colours) => ({ width, colours })),
);
const looksOfDocs = [{ width: 1_280, colours: 'light' as const }];
/** Pages ask for what moves every three seconds: by then all that they show has come. */
const settleMs = 2_500;
/** By then the page has taken the height of its window. */
const resizeMs = 500;

interface Look {
  readonly width: number;
  readonly colours: 'light' | 'dark';
}

interface Wish {
  /** Whose token it is seen with; null: nobody's. */
  readonly token: string | null;
  /** What is done on the page before. */
  readonly before?: (page: Page) => Promise<void>;
}

/** A picture of the whole page, as someone sees it who has signed in; without a token, of the page that asks for it. */
async function picture(browser: Browser, url: string, file: string, { width, colours }: Look, { token, before }: Wish) {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme: colours,
    reducedMotion: 'reduce',
  });
  if (token !== null)
    await page.addInitScript({ content: `sessionStorage.setItem('outdial.token', ${JSON.stringify(token)})` });
  await page.goto(url);
  // What stands there before the console is loaded has a heading, too.
  await page.locator('#main').getByRole('heading', { level: 1 }).first().waitFor();
  await before?.(page);
  await delay(settleMs);
  // A window as high as the page: what sticks to an edge of the window would otherwise stand in the middle of the picture.
  const height = await page.evaluate('document.documentElement.scrollHeight');
  if (!values.docs) await page.setViewportSize({ width, height: Math.max(900, Number(height)) });
  await delay(resizeMs);
  // What was done before may have scrolled the page, and the bar stands where the window does.
  await page.evaluate('window.scrollTo(0, 0)');
  await page.screenshot({ path: file });
  await page.close();
}

/** Some recipients, two of whom cannot be called, so that the page shows what would become of them. */
async function fillIn(page: Page): Promise<void> {
  await page
    .getByLabel('Or paste numbers')
    .fill(`${fileOf(40, 7_000)}\n4155557999,Ida Novak,9:00\n+1415,Jan Mora,9:30`);
  await page.getByLabel('Name of the batch call').fill('Renewals of April');
  const triedOut = page.waitForResponse((response) => response.url().endsWith('/validate') && response.ok());
  await page.getByLabel('Number to call from').selectOption({ index: 1 });
  await triedOut;
}

/** Whether a number of a country that may not be called can be called. */
async function askAboutNumber(page: Page): Promise<void> {
  await page.getByLabel('Number to call').fill('+493023125000');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByRole('status').waitFor();
}

const service = await runService({ speed: 4 });
const browser = await openBrowser();
try {
  mkdirSync(folder, { recursive: true });
  const { apiUrl, token } = service.ready();
  const console_ = `${apiUrl}/console`;
  const take = async (name: string, path: string, wish: Wish = { token }): Promise<void> => {
    if ((values.docs && !shownInDocs.has(name)) || only?.includes(name) === false) return;
    for (const look of values.docs ? looksOfDocs : looks) {
      const file = values.docs ? `${name}.png` : `${name}-${look.width}-${look.colours}.png`;
      await picture(browser, console_ + path, join(folder, file), look, wish);
      process.stdout.write(`${file}\n`);
    }
  };
  await take('sign-in', '/', { token: null });
  await take('first-run', '/');
  const { running, finished, callId, phoneNumber } = await campaigns(createApi(apiUrl, token));
  await take('overview', '/');
  await take('batches', '/batches');
  await take('batch', `/batches/${running}`);
  await take('batch-finished', `/batches/${finished}`);
  await take('records', `/batches/${finished}/records`);
  await take('calls', '/calls');
  await take('call', `/calls/${callId}`);
  await take('people', `/people?number=${encodeURIComponent(phoneNumber)}`);
  await take('do-not-call', '/do-not-call');
  await take('do-not-call-add', '/do-not-call', {
    token,
    before: (page) => page.getByRole('button', { name: 'Add numbers' }).click(),
  });
  await take('guardrails', '/guardrails', { token, before: askAboutNumber });
  await take('record-callback', `/batches/${running}/records?status=answered`, {
    token,
    before: (page) =>
      page
        .getByRole('button', { name: /^Call at/ })
        .first()
        .click(),
  });
  await take('new', '/new', { token, before: fillIn });
  await takeSetUp(createApi(apiUrl, token), take);
} finally {
  await browser.close();
  await service.stop();
  service.removeData();
}
