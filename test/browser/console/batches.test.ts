import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { aBatch, aRoute } from '../../api/batch-calls/support.js';
import { anAccount, api, useApi } from '../../api/support.js';
import { soon } from '../../setup/soon.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole, segmentsOf } from './support.js';

useApi();

interface Item {
  readonly batchName: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly waitingFor: string;
}

describe.skipIf(noBrowser !== undefined)(`the list of batch calls, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;

  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
    const route = await aRoute();
    for (let number = 1; number <= 22; number += 1) {
      const createdAt = new Date(Date.UTC(2026, 2, number, 12));
      await aBatch({ name: `Round ${number}`, status: 'completed', counts: { answered: number }, route, createdAt });
    }
    await aBatch({ name: 'Not a spreadsheet', status: 'parse_failed', route });
    await aBatch({ name: '<b>Held</b>', paused: 'paused_by_user', counts: { pending: 7, answered: 2 }, route });
  });

  const names = (page: Page) =>
    page
      .getByRole('article')
      .evaluateAll((all) =>
        (all as unknown as { getAttribute(name: string): string }[]).map((each) => each.getAttribute('aria-label')),
      );
  const listed = async (query: string) => {
    const { data } = (await api.get(`/v1/batch-calls?perPage=20${query}`)).body as { data: Item[] };
    return data;
  };

  test('shows what the API lists, with segments that add up and the sentence why each waits', async () => {
    const { page, complaints } = await openConsole(browser, served, '/batches');
    await page.getByRole('article', { name: '<b>Held</b>' }).waitFor();
    const data = await listed('');
    expect(await names(page)).toEqual(data.map(({ batchName }) => batchName));
    for (const { batchName, counts, waitingFor } of data.slice(0, 3)) {
      const { human, machine, ...statuses } = counts;
      expect(human! + machine!).toBe(0);
      const shown = Object.values(await segmentsOf(page, batchName)).reduce((sum, count) => sum + count, 0);
      expect(shown).toBe(Object.values(statuses).reduce((sum, count) => sum + count, 0));
      // Of a file that cannot be used, the reason stands in its place.
      const said = batchName === 'Not a spreadsheet' ? 'The file has no rows.' : waitingFor;
      expect(await page.getByRole('article', { name: batchName }).innerText()).toContain(said);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('what it is filtered by is in the address, which shows the same elsewhere and is walked back through', async () => {
    const { page } = await openConsole(browser, served, '/batches');
    await page.getByRole('navigation', { name: 'Pages of the list' }).getByText('1 to 20 of 24').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('21 to 24 of 24').waitFor();
    await page.waitForURL(/page=2/);
    expect(await names(page)).toEqual((await listed('&page=2')).map(({ batchName }) => batchName));
    await page.goBack();
    await page.getByText('1 to 20 of 24').waitFor();

    await page.getByRole('button', { name: 'completed' }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('round 2');
    await vi.waitFor(
      async () => expect(await names(page)).toEqual(['Round 22', 'Round 21', 'Round 20', 'Round 2']),
      soon,
    );
    await page.getByLabel('Created until').fill('2026-03-20');
    await vi.waitFor(async () => expect(await names(page)).toEqual(['Round 20', 'Round 2']), soon);

    const elsewhere = await openConsole(browser, served, page.url().split('/console')[1]!);
    await elsewhere.page.getByRole('article', { name: 'Round 20' }).waitFor();
    expect(await names(elsewhere.page)).toEqual(['Round 20', 'Round 2']);
    await elsewhere.page.close();

    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No batch call matches the filter.').waitFor();
    await page.getByRole('button', { name: 'Show all batch calls' }).click();
    await page.getByText('1 to 20 of 24').waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    await page.close();
  });

  test.each([360, 2_560])('everyone can use it at %i px, in both themes', async (width) => {
    const { page, complaints } = await openConsole(browser, served, '/batches?status=completed,parse_failed', {
      width,
    });
    await page.getByRole('article', { name: 'Not a spreadsheet' }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('an address that makes no sense shows the list', async () => {
    const { page, complaints } = await openConsole(browser, served, '/batches?status=wrong&page=-1&from=x&perPage=9e9');
    await page.getByRole('article', { name: '<b>Held</b>' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('an account without any is led to a first one', async () => {
    const { token } = await anAccount('Empty');
    const { page } = await openConsole(browser, served, '/batches', { token });
    await page.getByRole('heading', { name: 'There are no batch calls yet' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'make a first batch call' }).click();
    await page.getByRole('heading', { level: 1, name: 'New batch call' }).waitFor();
    await page.close();
  });
});
