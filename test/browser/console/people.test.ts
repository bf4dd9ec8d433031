import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { signToken } from '../../../platform/token.js';
import { aPerson, aTracedCall } from '../../api/contacts/support.js';
import { api, here, useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

interface Person {
  readonly pageInfo: { readonly total: number };
  readonly data: readonly { readonly id: string }[];
  readonly batches: readonly { readonly batchName: string; readonly calls: number }[];
  readonly rejectedRows: readonly { readonly message: string }[];
}

describe.skipIf(noBrowser !== undefined)(`everything about a number, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
  });

  test.each([360, 1_280])(
    'a number as people write it is found, with all that the API has of it, at %i px',
    async (width) => {
      const number = aPerson();
      await aTracedCall(number);
      const { page, complaints } = await openConsole(browser, served, '/people', { width });
      await page.getByLabel('Number').fill(`${number.slice(0, 4)} (${number.slice(4, 7)}) ${number.slice(7)}`);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: number }).waitFor();
      const person = (await api.get(`/v1/contacts/${number}`)).body as Person;
      expect(person.data).toHaveLength(1);
      await page.getByRole('heading', { name: `Calls: ${person.pageInfo.total}` }).waitFor();
      for (const { id } of person.data) await page.locator(`[data-call="${id}"]`).waitFor();
      for (const { batchName, calls } of person.batches) {
        const line = page.getByRole('row').filter({ hasText: batchName });
        expect(await line.getByRole('cell').last().innerText()).toBe(`${calls}`);
      }
      expect(person.rejectedRows).not.toEqual([]);
      for (const { message } of person.rejectedRows) await page.getByRole('cell', { name: message }).first().waitFor();
      await expectAccessible(page);

      // The address shows the same elsewhere.
      const elsewhere = await openConsole(browser, served, page.url().split('/console')[1]!);
      await elsewhere.page.locator(`[data-call="${person.data[0]!.id}"]`).waitFor();
      await elsewhere.page.close();
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  test('it is put on the do-not-call list with a reason, and taken off once it is typed', async () => {
    const number = aPerson();
    const { page } = await openConsole(browser, served, `/people?number=${encodeURIComponent(number)}`);
    await page.getByText(`Nothing is kept under ${number}.`).waitFor();
    await page.getByRole('button', { name: 'Add to the list' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Asked for it');
    await dialog.getByRole('button', { name: 'Add to the list' }).click();
    await page.getByText(/On the list since .*: Asked for it/).waitFor();
    const listed = async () =>
      ((await api.get(`/v1/do-not-call?search=${number.slice(1)}`)).body as { data: object[] }).data;
    expect(await listed()).toMatchObject([{ phoneNumber: number, reason: 'Asked for it' }]);
    await page.getByRole('button', { name: `Remove from the list: ${number}` }).click();
    const remove = dialog.getByRole('button', { name: 'Remove from the list' });
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${number} to confirm`).fill(number);
    await remove.click();
    await page.getByText('It is not on the do-not-call list.').waitFor();
    expect(await listed()).toEqual([]);
    await page.close();
  });

  test('it is erased once it is typed, and the page says what was', async () => {
    const number = aPerson();
    await aTracedCall(number);
    const { page } = await openConsole(browser, served, `/people?number=${encodeURIComponent(number)}`);
    await page.getByRole('button', { name: 'Erase' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/of 1 call, the number, the row/).waitFor();
    const erase = dialog.getByRole('button', { name: 'Erase for good' });
    await dialog.getByLabel(`Type ${number} to confirm`).fill(number.slice(0, -1));
    expect(await erase.isDisabled()).toBe(true);
    expect((await api.get(`/v1/contacts/${number}`)).status).toBe(200);
    await expectAccessible(page);
    await dialog.getByLabel(`Type ${number} to confirm`).fill(number);
    await erase.click();
    await page.getByRole('status').getByText('Erased: 1 call').waitFor();
    await page.getByText(`Nothing is kept under ${number}.`).waitFor();
    expect((await api.get(`/v1/contacts/${number}`)).status).toBe(404);
    await page.close();
  });

  test('a number that is none is refused at its field; a token that may only read is offered nothing', async () => {
    const number = aPerson();
    await aTracedCall(number);
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    const { page } = await openConsole(browser, served, '/people?number=12', { token });
    await page.getByText('Write it with + and country code').waitFor();
    await page.getByLabel('Number').fill(number);
    await page.getByRole('button', { name: 'Show everything about it' }).click();
    await page.getByRole('heading', { level: 1, name: number }).waitFor();
    await page.getByText('It is not on the do-not-call list.').waitFor();
    expect(await page.getByRole('button', { name: /Erase|list/ }).count()).toBe(0);
    await page.close();
  });
});
