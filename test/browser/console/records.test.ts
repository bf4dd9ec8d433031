import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { signToken } from '../../../platform/token.js';
import { aBatchOf } from '../../api/batch-calls/support-records.js';
import { api, here, useApi } from '../../api/support.js';
import { soon } from '../../setup/soon.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

interface Item {
  readonly recordId: string;
  readonly phoneNumber: string;
  readonly status: string;
}
interface Row {
  getAttribute(name: string): string;
}

describe.skipIf(noBrowser !== undefined)(`the records of a batch call, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  let batchId: string;

  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
    const statuses = ['answered', 'missed', 'pending'] as const;
    const records = Array.from({ length: 24 }, (_, index) => ({
      phoneNumber: `+1415555${1_000 + index}`,
      status: statuses[index % 3]!,
      metadata: { name: `Person ${index}`, 'a,b': '=1+1', city: 'Oslo', note: '<b>bold</b>' },
    }));
    ({ batchId } = await aBatchOf(records, { name: 'March', status: 'running' }));
    // Two of those who were missed; figures, which name what there is to filter by, come of the change.
    await sql`update calls set reason = 'busy', sip_status_code = 600 where batch_id = ${batchId} and status = 'missed' and position > 18`.execute(
      here().database.db,
    );
  });

  const listed = async (query: string) => {
    const { data } = (await api.get(`/v1/batch-calls/${batchId}/records?perPage=20${query}`)).body as { data: Item[] };
    return data;
  };
  const shown = (page: Page) =>
    page
      .locator('[data-record]')
      .evaluateAll((all) => (all as unknown as Row[]).map((each) => each.getAttribute('data-record')));
  const idsOf = (items: readonly Item[]) => items.map(({ recordId }) => recordId);
  const open = (query = '', options = {}) =>
    openConsole(browser, served, `/batches/${batchId}/records${query}`, options);
  const showing = (page: Page, query: string) =>
    vi.waitFor(async () => expect(await shown(page)).toEqual(idsOf(await listed(query))), soon);

  test('filter, search, page and columns are in the address, and what is listed is what the API lists', async () => {
    const { page, complaints } = await open();
    await showing(page, '');
    await page.getByRole('button', { name: 'missed 8' }).click();
    await showing(page, '&status=missed');
    await page.getByRole('searchbox').fill('person 1');
    await showing(page, '&status=missed&search=person 1');
    await page.getByRole('button', { name: 'Columns of the file' }).click();
    await page.getByLabel('note').check();
    await page.getByLabel('city').uncheck();
    await page.keyboard.press('Escape');

    const elsewhere = await open(page.url().slice(page.url().indexOf('?')));
    await showing(elsewhere.page, '&status=missed&search=person 1');
    const head = await elsewhere.page.getByRole('columnheader').allInnerTexts();
    expect(head.slice(6, -1)).toEqual(['name', 'a,b', 'note']);
    await elsewhere.page.getByRole('cell', { name: '<b>bold</b>' }).first().waitFor();
    await elsewhere.page.close();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Next' }).click();
    await showing(page, '&page=2');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('two boxes that are ticked in the same moment are both shown so at once, and both in the address', async () => {
    const { page } = await open();
    await showing(page, '');
    await page.getByRole('button', { name: 'Columns of the file' }).click();
    await page.getByLabel('note').waitFor();
    const ticked = await page.evaluate(`(() => {
      const boxes = ['note', 'city'].map((name) => document.querySelector('input[type=checkbox][value=' + name + ']'));
      for (const box of boxes) box.click();
      return boxes.map((box) => box.checked);
    })()`);
    expect(ticked).toEqual([true, false]);
    await vi.waitFor(
      () => expect(new URL(page.url()).searchParams.get('columns')?.split(',')).toEqual(['name', 'a%2Cb', 'note']),
      soon,
    );
    await page.close();
  });

  test('what calls came to is filtered by, columns sort, and the export has what is filtered', async () => {
    const { page, complaints } = await open('?attempts=1');
    await showing(page, '&attempts=1');
    await page.getByLabel('Attempts', { exact: true }).selectOption('');
    await page.getByLabel('Reason', { exact: true }).selectOption('busy');
    await showing(page, '&reason=busy');
    await page.getByLabel('SIP code', { exact: true }).selectOption('600');
    await showing(page, '&reason=busy&sipStatusCode=600');
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export these' }).click();
    const saved = readFileSync(await (await saving).path(), 'utf8');
    const numbers = (await listed('&reason=busy')).map(({ phoneNumber }) => phoneNumber);
    expect(numbers).toHaveLength(2);
    expect(saved.match(/\+1415555\d{4}/g)).toEqual(numbers);

    await page.getByLabel('Reason', { exact: true }).selectOption('');
    await page.getByLabel('SIP code', { exact: true }).selectOption('');
    await page.getByRole('button', { name: 'a person' }).click();
    await showing(page, '&answeredBy=human');
    const numberHead = page.getByRole('columnheader', { name: 'Number' });
    for (const [sort, sorted] of [
      ['&sort=phoneNumber', 'ascending'],
      ['&sort=-phoneNumber', 'descending'],
      ['', 'none'],
    ] as const) {
      await numberHead.getByRole('button').click();
      await showing(page, `&answeredBy=human${sort}`);
      expect(await numberHead.getAttribute('aria-sort')).toBe(sorted);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('by keyboard alone a record is reached and opened, with its whole row', async () => {
    const { page } = await open();
    await showing(page, '');
    await page.getByRole('button', { name: '+14155551000', exact: true }).focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: '+14155551001' });
    await dialog.getByText('486 Busy Here').waitFor();
    await dialog.getByText('<b>bold</b>').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.close();
  });

  test('a recipient is skipped, and one whose call is over is called again, each after a sentence', async () => {
    const { page } = await open('?search=5551002');
    await page.getByRole('button', { name: 'Skip: +14155551002' }).click();
    await page.getByRole('button', { name: 'Skip this recipient' }).click();
    await page.getByRole('cell', { name: 'cancelled' }).waitFor();
    expect(await listed('&search=5551002')).toMatchObject([{ status: 'cancelled' }]);

    await page.getByRole('searchbox').fill('5551001');
    await page.getByRole('button', { name: 'Call again: +14155551001' }).click();
    await page.route('**/call-again', (route) =>
      route.fulfill({ status: 409, json: { error: 'The batch call is being cancelled or is finished' } }),
    );
    await page.getByRole('button', { name: 'Call once more' }).click();
    await page.getByText('The batch call is being cancelled or is finished').waitFor();
    await page.unroute('**/call-again');
    await page.getByRole('button', { name: 'Call once more' }).click();
    await vi.waitFor(async () => expect((await listed('&search=5551001'))[0]!.status).not.toBe('missed'), soon);
    await page.close();
  });

  test('one is promised a call at a certain time, which can be moved; what the API refuses stands in the dialog', async () => {
    const { page } = await open('?search=5551004');
    const field = (instant: string) =>
      page.evaluate((text) => {
        const local = new Date(text);
        return new Date(local.getTime() - local.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
      }, instant);
    await page.getByRole('button', { name: 'Call at …: +14155551004' }).click();
    const dialog = page.getByRole('dialog');
    const inTwoYears = new Date(Date.now() + 730 * 86_400_000).toISOString();
    await dialog.getByLabel('Call at').fill(await field(inTwoYears));
    await dialog.getByRole('button', { name: 'Promise this call' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/366 days/)
      .waitFor();
    expect(await listed('&search=5551004')).toMatchObject([{ status: 'missed' }]);
    const [first, second] = [2, 3].map(
      (days) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16)}:00.000Z`,
    );
    await dialog.getByLabel('Call at').fill(await field(first!));
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Promise this call' }).click();
    await page.getByRole('button', { name: 'Move: +14155551004' }).click();
    expect(await listed('&search=5551004')).toMatchObject([{ callback: true, nextAttemptAt: first }]);
    expect(await dialog.getByLabel('Call at').inputValue()).toBe(await field(first!));
    await dialog.getByLabel('Call at').fill(await field(second!));
    await dialog.getByRole('button', { name: 'Promise this call' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await listed('&search=5551004')).toMatchObject([{ callback: true, nextAttemptAt: second }]);
    await page.close();
  });

  test('of one that was never called, priority and earliest time change, each by itself', async () => {
    const { page } = await open('?search=5551005');
    const save = async (change: (dialog: ReturnType<Page['getByRole']>) => Promise<unknown>) => {
      await page.getByRole('button', { name: 'Change: +14155551005' }).click();
      const dialog = page.getByRole('dialog');
      await change(dialog);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    await save((dialog) => dialog.getByLabel('Priority').selectOption('1'));
    const [changed] = await listed('&search=5551005');
    expect(changed).toMatchObject({ priority: 1 });
    expect(changed).not.toHaveProperty('notBefore');
    await save((dialog) => dialog.getByLabel('Not before').fill('2030-03-01T09:30'));
    const notBefore = await page.evaluate(() => new Date('2030-03-01T09:30').toISOString());
    expect(await listed('&search=5551005')).toMatchObject([{ priority: 1, notBefore }]);
    await save((dialog) => dialog.getByLabel('Not before').fill(''));
    expect((await listed('&search=5551005'))[0]).not.toHaveProperty('notBefore');
    await page.close();
  });

  test('what somebody else changes while the dialog is open is not changed back by saving another field', async () => {
    const { page } = await open('?search=5551008');
    const refreshed = () => page.waitForResponse((response) => response.url().includes('/records?'));
    await page.getByRole('button', { name: 'Change: +14155551008' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Not before').fill('2030-03-01T09:30');
    const [{ recordId }] = (await listed('&search=5551008')) as [Item];
    await api.patch(`/v1/batch-calls/${batchId}/records/${recordId}`, { priority: 2 });
    // The second answer is asked for after the change, and the third after the page has shown it.
    for (let answer = 0; answer < 3; answer++) await refreshed();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await listed('&search=5551008')).toMatchObject([{ priority: 2, notBefore: expect.any(String) as string }]);
    await page.close();
  });

  test.each([360, 2_560])('everyone can use it at %i px, in both themes', async (width) => {
    const { page, complaints } = await open('', { width });
    await showing(page, '');
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('at 360 px the number of a record stays in sight while its other columns are scrolled to', async () => {
    const { page } = await open('', { width: 360 });
    await showing(page, '');
    const table = page.getByRole('region', { name: 'Records' });
    const left = async () => (await table.locator('tbody td').first().boundingBox())?.x;
    const before = await left();
    await table.evaluate((frame: { scrollLeft: number }) => (frame.scrollLeft = 200));
    await vi.waitFor(
      async () => expect(await table.evaluate(({ scrollLeft }: { scrollLeft: number }) => scrollLeft)).toBe(200),
      soon,
    );
    expect(await left()).toBe(before);
    await page.close();
  });

  test('a token that may only read is offered none of it, and an address that makes no sense shows the list', async () => {
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    const { page, complaints } = await open('?status=no&page=-4&columns=%25%25,', { token });
    await showing(page, '');
    expect(await page.getByRole('button', { name: /^(Skip|Call|Move|Change)/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
