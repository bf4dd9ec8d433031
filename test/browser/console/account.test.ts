import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { signToken } from '../../../platform/token.js';
import { api, here, useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

interface Keys {
  readonly data: readonly { readonly keyId: string; readonly name: string; readonly permissions?: readonly string[] }[];
}

describe.skipIf(noBrowser !== undefined)(`what belongs to the account, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;

  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
  });

  const open = (path: string, options = {}) => openConsole(browser, served, path, options);
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const confirm = async (page: Page, word: string, action: string) => {
    const button = page.getByRole('dialog').getByRole('button', { name: action });
    expect(await button.isDisabled()).toBe(true);
    await page.getByLabel(`Type ${word} to confirm`).fill(word);
    await button.click();
  };

  test('a key is made with what its tokens may do, its secrets are shown once, and it is deleted', async () => {
    const { page, complaints } = await open('/keys');
    await page.getByText('yours', { exact: true }).waitFor();
    await press(page, 'New key');
    await page.getByLabel('What it is for').fill('Reports');
    await expectAccessible(page);
    await press(page, 'Make the key');
    const shown = page.getByRole('alert');
    await shown.getByText('The key Reports is made.').waitFor();
    const [token = '', secret = ''] = await shown.locator('pre, code').allInnerTexts();
    expect((await api.get('/v1/account', { token })).status).toBe(200);
    expect((await api.post('/v1/account/stop-dialing', {}, { token })).status).toBe(403);
    expect(secret.length).toBeGreaterThan(20);
    await expectAccessible(page);
    await press(page, 'I have kept it');
    await shown.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('cell', { name: 'Reports', exact: true }).waitFor();
    const { data } = (await api.get('/v1/account/keys?active=true')).body as Keys;
    expect(await page.locator('[data-key-id]').count()).toBe(data.length);
    expect(data.find(({ name }) => name === 'Reports')?.permissions).toEqual(['read']);
    await page.getByRole('button', { name: 'Delete: Reports' }).click();
    await confirm(page, 'delete', 'Delete this key');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Reports', exact: true }).waitFor({ state: 'detached' });
    expect((await api.get('/v1/account', { token })).status).toBe(401);
    await page.getByLabel('State').selectOption('deleted');
    await page.getByRole('cell', { name: 'Reports', exact: true }).waitFor();
    await page.waitForURL(/active=false/);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('one token is revoked; one that is none is refused in the words of the API', async () => {
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'], ttlSeconds: 600 });
    const { page } = await open('/keys');
    await press(page, 'Revoke a token');
    await page.getByLabel('The token in full').fill('no token');
    await confirm(page, 'revoke', 'Revoke this token');
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByLabel('The token in full').fill(token);
    await press(page, 'Revoke this token');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await api.get('/v1/account', { token })).status).toBe(401);
    await page.close();
  });

  test('a webhook is made, changed and deleted; the secret is shown when asked for, and rotated', async () => {
    const { page } = await open('/webhooks');
    await press(page, 'New webhook');
    await press(page, 'Make the webhook');
    await page.getByText('This was not made').waitFor();
    expect(await page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Address').fill('https://example.com/calls');
    await press(page, 'Make the webhook');
    await page.getByRole('cell', { name: 'https://example.com/calls', exact: true }).waitFor();
    await page.getByRole('cell', { name: 'call-hangup, call-missed' }).waitFor();
    await press(page, 'Change: https://example.com/calls');
    await page.getByLabel('dialed (call-started)').check();
    await press(page, 'Save');
    await page.getByRole('cell', { name: /call-started/ }).waitFor();
    const { data } = (await api.get('/v2/sip/webhooks')).body as { data: { events: string[] }[] };
    expect([...data[0]!.events].sort()).toEqual(['call-hangup', 'call-missed', 'call-started']);
    await press(page, 'Delete: https://example.com/calls');
    await confirm(page, 'delete', 'Delete this webhook');
    await page.getByText('Nobody is told.').waitFor();

    const secretOf = async () => ((await api.get('/v1/account/webhook-secret')).body as { secret: string }).secret;
    const before = await secretOf();
    expect(await page.content()).not.toContain(before);
    await press(page, 'Show the secret');
    await page.getByText(before).waitFor();
    await press(page, 'Rotate the secret');
    await confirm(page, 'rotate', 'Rotate the secret');
    await page.getByText('The one before signs as well until').waitFor();
    const after = await secretOf();
    expect(after).not.toBe(before);
    await page.getByText(after).waitFor();
    await press(page, 'Hide the secret');
    expect(await page.content()).not.toContain(after);
    await page.close();
  });

  test('the audit log is filtered by what the address says, as the API does', async () => {
    const { page, complaints } = await open('/audit-log?action=key');
    const shown = () =>
      page
        .locator('[data-entry]')
        .evaluateAll((all) => (all as unknown as { dataset: { entry: string } }[]).map(({ dataset }) => dataset.entry));
    await page.locator('[data-entry]').first().waitFor();
    const { data } = (await api.get('/v1/account/audit-log?action=key&perPage=20')).body as { data: { id: string }[] };
    expect(data.length).toBeGreaterThan(0);
    expect(await shown()).toEqual(data.map(({ id }) => id));
    await page.getByLabel('What was changed').selectOption('tool');
    await page.getByText('No entry is like this.').waitFor();
    await page.waitForURL(/action=tool/);
    await press(page, 'Show all');
    await page.locator('[data-entry]').first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('usage is what the API says', async () => {
    const { page } = await open('/usage?from=2026-01-01');
    await page.getByRole('heading', { name: 'Day by day' }).waitFor();
    const { usage } = (await api.get('/v1/account')).body as { usage: { today: { attempts: number } } };
    const today = page.getByRole('region', { name: 'Today (UTC)' });
    expect(await today.locator('dd').allInnerTexts()).toContain(String(usage.today.attempts));
    await page.close();
  });

  test('defaults are set with every problem at its field, and taken back', async () => {
    const { page } = await open('/defaults');
    await page.getByLabel('Time zone').fill('Nowhere');
    await page.getByLabel('Calls start from').fill('9');
    await page.getByLabel('Calls start until').fill('20:00');
    await page.getByLabel('Monday').check();
    await press(page, 'Save');
    await page.getByText('Nothing was changed').waitFor();
    for (const label of ['Time zone', 'Calls start from']) {
      expect({ label, invalid: await page.getByLabel(label).getAttribute('aria-invalid') }).toEqual({
        label,
        invalid: 'true',
      });
    }
    await page.getByLabel('Time zone').fill('Europe/Oslo');
    await page.getByLabel('Calls start from').fill('09:00');
    await page.getByLabel('By the clock of').fill('recipient');
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    expect((await api.get('/v1/account/defaults')).body).toMatchObject({
      timezone: 'Europe/Oslo',
      callingWindow: { from: '09:00', until: '20:00', daysOfWeek: [1], timezone: 'recipient' },
    });
    for (const label of ['Calls start from', 'Calls start until', 'By the clock of'])
      await page.getByLabel(label).fill('');
    await page.getByLabel('Monday').uncheck();
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    expect((await api.get('/v1/account/defaults')).body).not.toHaveProperty('callingWindow');
    await page.close();
  });

  test('everyone can use these pages, and a token that may only read is offered nothing', async () => {
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    for (const [index, path] of ['/keys', '/webhooks', '/audit-log', '/usage', '/defaults'].entries()) {
      const { page, complaints } = await open(path, { width: index % 2 === 0 ? 360 : 2_560 });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      await expectAccessible(page);
      expect({ path, complaints }).toEqual({ path, complaints: [] });
      await page.close();
      const { page: reading } = await open(path, { token });
      await reading.getByText('read only').waitFor();
      await reading.locator('table, dl').or(reading.getByText('Nobody is told.')).first().waitFor();
      const offered = reading
        .locator('main')
        .getByRole('button', { name: /New|Delete|Revoke|Rotate|Show the|Save|Change/ });
      expect({ path, offered: await offered.count() }).toEqual({ path, offered: 0 });
      await reading.close();
    }
  });
});
