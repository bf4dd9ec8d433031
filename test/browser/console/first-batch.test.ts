import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedService } from '../../e2e/shared-service.js';
import { noBrowser, sharedBrowser } from '../browser.js';
import { openTab } from './support.js';

/** How somebody works with the page. */
interface Hand {
  press(wanted: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  choose(select: Locator, option: string): Promise<void>;
}

const mouse: Hand = {
  press: (wanted) => wanted.click(),
  write: (field, text) => field.fill(text),
  async choose(select, option) {
    await select.selectOption(option);
  },
};

/** More often than any page has places to go to. */
const mostTabs = 150;

/** The Tab key leads to what is wanted, and nothing else does. */
function keyboardOn(page: Page): Hand {
  const reach = async (wanted: Locator) => {
    await wanted.waitFor();
    for (let tabs = 0; tabs < mostTabs; tabs += 1) {
      if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`The Tab key does not lead to ${String(wanted)}`);
  };
  return {
    async press(wanted) {
      await reach(wanted);
      await page.keyboard.press('Enter');
    },
    async write(field, text) {
      await reach(field);
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text);
    },
    async choose(select, option) {
      await reach(select);
      await page.keyboard.type(option);
    },
  };
}

const numbers = ['+14155550120', '+14155550121', '+14155550122'];

describe.skipIf(noBrowser !== undefined)(
  `from an empty account to a finished batch call, in Chromium (${noBrowser ?? 'there'})`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await sharedBrowser();
    });

    test.each([
      ['keyboard', '+12025550100'],
      ['mouse', '+12025550101'],
    ] as const)(
      'by %s alone: agent, number, a call to oneself, a batch call, and its end',
      async (kind, from) => {
        const service = await sharedService(`By ${kind}`);
        const { apiUrl, token } = service.ready();
        const { page, complaints } = await openTab(browser);
        const hand = kind === 'keyboard' ? keyboardOn(page) : mouse;
        const button = (name: string) => page.getByRole('button', { name, exact: true });
        await page.goto(`${apiUrl}/console`);
        await hand.write(page.getByLabel('API token'), token);
        await hand.press(button('Sign in'));

        await hand.write(page.getByLabel('Name', { exact: true }), 'Reminder');
        await hand.write(page.getByLabel('Prompt'), 'Remind them of their appointment.');
        await hand.press(button('Create agent'));
        await page.getByText('Reminder is live.').waitFor({ timeout: 60_000 });
        await hand.write(page.getByLabel('Number of your carrier’s trunk'), from);
        await hand.write(page.getByLabel('Address of the trunk'), 'sip.carrier.example');
        await hand.press(button('Register number'));
        await hand.press(button(`Let Reminder call from ${from}`));
        await hand.write(page.getByLabel('My own telephone'), '+14155550130');
        await hand.press(button('Call my telephone'));
        await hand.press(button('Call now'));
        await page.getByText('The call to +14155550130').waitFor();

        const pages = page.getByRole('navigation', { name: 'Pages' });
        await hand.press(pages.getByRole('link', { name: 'New batch call' }));
        await hand.write(page.getByLabel('Or paste numbers'), numbers.join('\n'));
        await hand.write(page.getByLabel('Name of the batch call'), 'My first one');
        await hand.choose(page.getByLabel('Number to call from'), from);
        const start = page.getByRole('button', { name: 'Start calling' });
        await start.and(page.locator(':enabled')).waitFor({ timeout: 60_000 });
        await hand.press(start);
        await page.getByRole('heading', { level: 1, name: 'My first one' }).waitFor({ timeout: 60_000 });
        await page.getByText('100% of the calls have finished').waitFor({ timeout: 120_000 });
        await page.getByText('completed', { exact: true }).first().waitFor({ timeout: 60_000 });

        const batchId = page.url().split('/').at(-1) ?? '';
        const { body } = await service.request('GET', `/v1/batch-calls/${batchId}`);
        expect(body).toMatchObject({
          batchName: 'My first one',
          status: 'completed',
          recordsUploaded: numbers.length,
        });
        const invites = service.ledger().filter((line) => line.event === 'invite' && line.from === from);
        const dialed = invites.map(({ to }) => to);
        expect(new Set(dialed)).toEqual(new Set([...numbers, '+14155550130']));
        expect(complaints).toEqual([]);
        await page.close();
      },
      600_000,
    );
  },
);
