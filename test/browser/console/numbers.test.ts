import { sql } from 'kysely';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { signToken } from '../../../platform/token.js';
import { aRegisteredNumber } from '../../api/support-resources.js';
import { api, here, useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

interface Stored {
  readonly phoneNumber: {
    readonly callsToday: number | null;
    readonly maxCallsPerDay: number | null;
    readonly minSecondsBetweenCalls: number | null;
  };
}

describe.skipIf(noBrowser !== undefined)(`the limits of numbers, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
  });

  const open = (path: string, options = {}) => openConsole(browser, served, path, options);
  const perDay = 'Maximum calls per day';
  const between = 'Minimum seconds between calls';
  const stored = async (e164: string) => (await api.get(`/v2/sip/phone-numbers/${e164}`)).body as Stored;
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

  test('limits are set with each problem at its field, shown with what was called today, and taken away', async () => {
    const { e164, phoneNumberId } = await aRegisteredNumber({ phoneNumbers: ['+14155550401'] });
    const { page, complaints } = await open(`/numbers/${phoneNumberId}`);
    await page.getByLabel(perDay).fill('0');
    await page.getByLabel(between).fill('soon');
    await save(page);
    await page.getByText('Nothing was changed').waitFor();
    for (const label of [perDay, between]) {
      await page.getByLabel(label, { exact: true }).and(page.locator('[aria-invalid="true"]')).waitFor();
    }
    await expectAccessible(page);
    await page.getByLabel(perDay).fill('200');
    await page.getByLabel(between).fill('5');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await save(page);
    expect((await sent).postDataJSON()).toEqual({ maxCallsPerDay: 200, minSecondsBetweenCalls: 5 });
    await page.getByText('Calls today: 0 of 200').waitFor();
    expect((await stored(e164)).phoneNumber).toMatchObject({ maxCallsPerDay: 200, minSecondsBetweenCalls: 5 });

    await page.getByLabel(perDay).fill('');
    await save(page);
    await page.getByText('0 calls were made from it today.').waitFor();
    expect((await stored(e164)).phoneNumber).toMatchObject({ maxCallsPerDay: null, minSecondsBetweenCalls: 5 });
    expect(complaints.filter((words) => !words.includes('400'))).toEqual([]);
    await page.close();
  });

  test.each([360, 1_280])(
    'the list has the calls of today against the limit, as the API does, at %i px',
    async (width) => {
      const e164 = `+1415555${width.toString().padStart(4, '0')}`;
      await aRegisteredNumber({ phoneNumbers: [e164] });
      await api.patch(`/v2/sip/phone-numbers/${e164}`, { maxCallsPerDay: 1_500 });
      await sql`update counted_numbers set calls = 1203 where e164 = ${e164}`.execute(here().database.db);
      const { phoneNumber } = await stored(e164);
      expect(phoneNumber.callsToday).toBe(1_203);
      const { page, complaints } = await open('/numbers', { width });
      await page.locator(`[data-number="${e164}"]`).getByText('1,203 of 1,500').waitFor();
      await expectAccessible(page);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  test('a token that may only read sees the limits and cannot change them', async () => {
    const { e164, phoneNumberId } = await aRegisteredNumber({ phoneNumbers: ['+14155550403'] });
    await api.patch(`/v2/sip/phone-numbers/${e164}`, { maxCallsPerDay: 90 });
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    const { page } = await open(`/numbers/${phoneNumberId}`, { token });
    const limits = page.getByRole('region', { name: 'Limits' });
    await limits.getByText('Calls today: 0 of 90').waitFor();
    await limits.getByText('no wait').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.close();
  });
});
