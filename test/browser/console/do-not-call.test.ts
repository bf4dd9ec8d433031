import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { signToken } from '../../../platform/token.js';
import { anAccount, api, here, useApi } from '../../api/support.js';
import { soon } from '../../setup/soon.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

interface Row {
  getAttribute(name: string): string;
}

describe.skipIf(noBrowser !== undefined)(`the do-not-call list, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
    const phoneNumbers = Array.from({ length: 23 }, (_, index) => `+1415555${4_000 + index}`);
    await api.post('/v1/do-not-call', { phoneNumbers, reason: 'Asked <b>not</b> to be called' });
  });

  const listed = async (query: string) => {
    const { data } = (await api.get(`/v1/do-not-call?perPage=20${query}`)).body as { data: { phoneNumber: string }[] };
    return data.map(({ phoneNumber }) => phoneNumber);
  };
  const showing = (page: Page, query: string) =>
    vi.waitFor(async () => {
      const shown = await page
        .locator('[data-number]')
        .evaluateAll((all) => (all as unknown as Row[]).map((each) => each.getAttribute('data-number')));
      expect(shown).toEqual(await listed(query));
      expect(shown).not.toEqual([]);
    }, soon);

  test('it is searched and paged by the service, and the address holds what is shown', async () => {
    const { page, complaints } = await openConsole(browser, served, '/do-not-call');
    await showing(page, '');
    await page.getByRole('button', { name: 'Next' }).click();
    await showing(page, '&page=2');
    await page.keyboard.press('/');
    await page.keyboard.type('555401');
    await showing(page, '&search=555401');
    const elsewhere = await openConsole(browser, served, page.url().split('/console')[1]!);
    await showing(elsewhere.page, '&search=555401');
    await elsewhere.page.close();
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No entry matches the filter.').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('pasted numbers are added; if one cannot be used, none is, and it is named', async () => {
    const { page } = await openConsole(browser, served, '/do-not-call');
    await showing(page, '');
    await page.getByRole('button', { name: 'Add numbers' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Or paste numbers').fill('+1 (415) 555-4100\n12');
    await dialog.getByRole('button', { name: 'Add 2 numbers' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/phoneNumbers\[1\]/)
      .waitFor();
    expect(await listed('&search=5554100')).toEqual([]);
    await dialog.getByLabel('Or paste numbers').fill('+1 (415) 555-4100\n+14155554000');
    await dialog.getByLabel('Reason').fill('Wrote a letter');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add 2 numbers' }).click();
    await dialog.getByText('1 number was added, 1 was on the list already.').waitFor();
    expect((await api.get('/v1/do-not-call?search=5554100')).body).toMatchObject({
      data: [{ phoneNumber: '+14155554100', reason: 'Wrote a letter' }],
    });
    await page.close();
  });

  test('a spreadsheet is imported, and rows that cannot be read are named', async () => {
    const { page, complaints } = await openConsole(browser, served, '/do-not-call');
    await page.getByRole('button', { name: 'Add numbers' }).click();
    const dialog = page.getByRole('dialog');
    await page.locator('input[type=file]').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('phone_number,name\n+14155554200,Ada\n14155554201,Bo\n12,Cy\n'),
    });
    await dialog.getByLabel('Put a + before numbers').check();
    await dialog.getByLabel('Reason').fill('From the old system');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('2 numbers were added, 0 were on the list already, 1 row could not be read.').waitFor();
    expect(await dialog.getByRole('cell').allInnerTexts()).toEqual(['4', '12', expect.stringContaining('12')]);
    await expectAccessible(page);
    expect((await listed('&search=From the old')).sort()).toEqual(['+14155554200', '+14155554201']);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a number is taken off the list once it is typed', async () => {
    const { page } = await openConsole(browser, served, '/do-not-call?search=5554022');
    await page.getByRole('button', { name: 'Remove from the list: +14155554022' }).click();
    const dialog = page.getByRole('dialog');
    const remove = dialog.getByRole('button', { name: 'Remove from the list' });
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel('Type +14155554022 to confirm').fill('+14155554022');
    await remove.click();
    await page.getByText('No entry matches the filter.').waitFor();
    expect(await listed('&search=5554022')).toEqual([]);
    await page.close();
  });

  test.each([360, 2_560])('everyone can use it at %i px, in both themes', async (width) => {
    const { page, complaints } = await openConsole(browser, served, '/do-not-call', { width });
    await showing(page, '');
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('who may only read is offered no change, and an empty list says so', async () => {
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    const { page } = await openConsole(browser, served, '/do-not-call?page=-1', { token });
    await showing(page, '');
    expect(await page.getByRole('button', { name: /Add|Take/ }).count()).toBe(0);
    await page.close();
    const other = await anAccount('Empty');
    const empty = await openConsole(browser, served, '/do-not-call', { token: other.token });
    await empty.page.getByText('No number is on the list.').waitFor();
    await empty.page.close();
  });
});
