import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { signToken } from '../../../platform/token.js';
import { aRoute, type Route } from '../../api/batch-calls/support.js';
import { api, here, useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

describe.skipIf(noBrowser !== undefined)(`the guardrails, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  let route: Route;
  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
    route = await aRoute();
  });

  const guardrails = async () => (await api.get('/v1/account/guardrails')).body as Record<string, unknown>;
  const ask = async (page: Page, number: string, verdict: RegExp) => {
    await page.getByLabel('Number to call').fill(number);
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByRole('status').getByText(verdict).waitFor();
  };

  test.each([360, 1_280])(
    'they are shown as the API has them, and everyone can use the page at %i px',
    async (width) => {
      await api.put('/v1/account/guardrails', {
        callingHours: { from: '08:15', until: '21:45', daysOfWeek: [1, 2] },
        maxAttemptsPerNumberPerDay: 3,
        allowedCountries: ['IN', 'US'],
        refuseSatellite: false,
        disclosure: 'This call is recorded.',
      });
      const { page, complaints } = await openConsole(browser, served, '/guardrails', { width });
      await page.getByText('In force now: IN, US.').waitFor();
      const value = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
      expect([await value('From'), await value('Until')]).toEqual(['08:15', '21:45']);
      expect(await page.getByRole('group', { name: 'Days' }).getByRole('checkbox', { checked: true }).count()).toBe(2);
      expect(await value('Maximum attempts per number and day')).toBe('3');
      expect(await value('Countries that may be called')).toBe('IN, US');
      expect(await value('Announcement before the greeting')).toBe('This call is recorded.');
      expect(await page.getByLabel('Refuse premium-rate numbers').isChecked()).toBe(true);
      expect(await page.getByLabel('Refuse satellite numbers').isChecked()).toBe(false);
      await expectAccessible(page);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  test('what the API refuses stands at each field, and nothing is changed; then all of it is saved', async () => {
    await api.put('/v1/account/guardrails', {});
    const before = await guardrails();
    const { page } = await openConsole(browser, served, '/guardrails');
    await page.getByLabel('Calls start at certain hours only').check();
    await page.getByLabel('Until').fill('9');
    await page.getByLabel('Maximum attempts per number and day').fill('many');
    await page.getByLabel('Countries that may be called').fill('Germany');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Nothing was changed').waitFor();
    for (const name of ['Until', 'Maximum attempts per number and day', 'Countries that may be called']) {
      const invalid = await page.getByLabel(name).getAttribute('aria-invalid');
      expect({ name, invalid }).toEqual({ name, invalid: 'true' });
    }
    await expectAccessible(page);
    expect(await guardrails()).toEqual(before);

    await page.getByLabel('Until').fill('24:00');
    await page.getByLabel('Sunday').uncheck();
    await page.getByLabel('Maximum attempts per number and day').fill('2');
    await page.getByLabel('Countries that may be called').fill('in us');
    await page.getByLabel('Refuse premium-rate numbers').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await guardrails()).toMatchObject({
      callingHours: { from: '09:00', until: '24:00', daysOfWeek: [1, 2, 3, 4, 5, 6] },
      maxAttemptsPerNumberPerDay: 2,
      allowedCountries: ['IN', 'US'],
      refusePremiumRate: false,
      refuseSatellite: true,
    });
    await page.close();
  });

  test('of one number it says whether it may be called now, and why not', async () => {
    await api.put('/v1/account/guardrails', { allowedCountries: ['IN'] });
    await api.post('/v1/do-not-call', { phoneNumbers: ['+919877054321'] });
    const { page } = await openConsole(browser, served, '/guardrails');
    await page.getByLabel('Called from').selectOption({ index: 0 });
    expect(await page.getByLabel('Called from').inputValue()).toContain(route.phoneNumber);
    await ask(page, '+91 98770 12345', /A call to \+919877012345 now: yes\./);
    await ask(page, '+919877054321', /now: no, because it is on the do-not-call list/);
    await ask(page, '+13125550123', /now: no, because its country is not among those that may be called/);
    await ask(page, '12', /A call to 12 now: no\. /);
    await page.close();
    // Closed at this moment, whatever the clock says: one minute, on the day before yesterday.
    const dayBefore = ((new Date().getUTCDay() + 4) % 7) + 1;
    await api.put('/v1/account/guardrails', {
      callingHours: { from: '00:00', until: '00:01', daysOfWeek: [dayBefore] },
    });
    const later = await openConsole(browser, served, '/guardrails');
    await ask(
      later.page,
      '+919877012345',
      /now: no, because the calling hours are closed for it\. It can be called from/,
    );
    await later.page.close();
    await api.put('/v1/account/guardrails', {});
  });

  test('a token that may only read sees them and saves nothing', async () => {
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    const { page } = await openConsole(browser, served, '/guardrails', { token });
    await page.getByText('Your token may only read').waitFor();
    expect(await page.getByLabel('Countries that may be called').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.close();
  });
});
