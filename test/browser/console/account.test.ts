import { getCountries } from 'libphonenumber-js';
import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { signToken } from '../../../platform/token.js';
import { auditedResources } from '../../../domain/account/audited-resources.js';
import { noCalls } from '../../../domain/batch/batch-call.js';
import { formatId } from '../../../domain/ids.js';
import { aConversation } from '../../api/batch-calls/support-conversation.js';
import { aBatch } from '../../api/batch-calls/support.js';
import { aGateway } from '../../api/support-resources.js';
import { api, here, useApi } from '../../api/support.js';
import { soon } from '../../setup/soon.js';
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
    await press(page, 'Create key');
    const shown = page.getByRole('alert');
    await shown.getByText('The key Reports was created.').waitFor();
    const [token = '', secret = ''] = await shown.locator('pre, code').allInnerTexts();
    expect((await api.get('/v1/account', { token })).status).toBe(200);
    expect((await api.post('/v1/account/stop-dialing', {}, { token })).status).toBe(403);
    expect(secret.length).toBeGreaterThan(20);
    await expectAccessible(page);
    await press(page, 'I have stored them');
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
    await page.getByLabel('The whole token').fill('no token');
    await confirm(page, 'revoke', 'Revoke this token');
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByLabel('The whole token').fill(token);
    await press(page, 'Revoke this token');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await api.get('/v1/account', { token })).status).toBe(401);
    await page.close();
  });

  test('a webhook is made, changed and deleted; the secret is shown when asked for, and rotated', async () => {
    const { page } = await open('/webhooks');
    await press(page, 'New webhook');
    await press(page, 'Create webhook');
    await page.getByText('Nothing was created').waitFor();
    expect(await page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Address').fill('https://example.com/calls');
    await press(page, 'Create webhook');
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
    await page.getByText('There are no webhooks yet.').waitFor();

    const secretOf = async () => ((await api.get('/v1/account/webhook-secret')).body as { secret: string }).secret;
    const before = await secretOf();
    expect(await page.content()).not.toContain(before);
    await press(page, 'Show the secret');
    await page.getByText(before).waitFor();
    await press(page, 'Rotate the secret');
    await confirm(page, 'rotate', 'Rotate the secret');
    await page.getByText('The previous one also signs until').waitFor();
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
    await page.getByLabel('Resource').selectOption('tool');
    await page.getByText('No entry matches the filter.').waitFor();
    await page.waitForURL(/action=tool/);
    await press(page, 'Show all');
    await page.locator('[data-entry]').first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('whatever the audit log has entries about can be chosen', async () => {
    const { page } = await open('/audit-log');
    const choice = page.getByLabel('Resource');
    await page.locator('[data-entry]').first().waitFor();
    const offered = await choice
      .locator('option')
      .evaluateAll((all) => (all as unknown as { value: string }[]).map(({ value }) => value));
    expect(offered).toEqual(['', ...auditedResources]);
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
    const { page, complaints } = await open('/defaults', { width: 360 });
    const window = (number: number) => page.getByRole('group', { name: `Window ${number}` });
    const isWrong = async (...fields: readonly Locator[]) => {
      for (const field of fields) await field.and(page.locator('[aria-invalid="true"]')).waitFor();
    };
    await page.getByLabel('Time zone').fill('Nowhere');
    await page.getByLabel('Calls start at certain hours only').check();
    await page.getByLabel('From').fill('9');
    await page.getByLabel('Until').fill('12:00');
    await press(page, 'Add another window');
    await window(2).getByLabel('From').and(page.locator(':focus')).waitFor();
    await window(2).getByLabel('From').fill('13:00');
    await window(2).getByLabel('Until').fill('13:00');
    await page.getByLabel('Not on these dates').fill('2027-12-25; 2027-02-29');
    await page.getByLabel('Pre-dial check').fill('https://example.com/ask');
    await page.getByLabel('Time limit, in milliseconds').fill('9000');
    await press(page, 'Save');
    await page.getByText('Nothing was changed').waitFor();
    await isWrong(page.getByLabel('Time zone').first(), window(1).getByLabel('From'), window(2).getByLabel('Until'));
    await isWrong(page.getByLabel('Not on these dates'), page.getByLabel('Time limit, in milliseconds'));
    await window(2).getByText('must differ from callingWindow[1].from').waitFor();
    await page.getByText('2027-02-29 must be a date').waitFor();
    // Each stands at its field, and not in the list of the others as well.
    expect(await page.getByRole('alert').locator('li').allInnerTexts()).toEqual([]);
    await expectAccessible(page);

    await page.getByLabel('Time zone').first().fill('Europe/Oslo');
    await window(1).getByLabel('From').fill('09:00');
    await window(2).getByLabel('Until').fill('18:30');
    await window(2).getByLabel('Monday').uncheck();
    await window(2).getByLabel('Whose clock').selectOption('zone');
    expect(await window(2).getByLabel('Time zone of the window').inputValue()).toBe('Europe/Oslo');
    await page.getByLabel('Not on these dates').fill('2027-12-26, 2027-12-25');
    await page.getByLabel('Time limit, in milliseconds').fill('900');
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    const first = { from: '09:00', until: '12:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timezone: 'recipient' };
    const second = { from: '13:00', until: '18:30', daysOfWeek: [2, 3, 4, 5, 6, 7], timezone: 'Europe/Oslo' };
    expect((await api.get('/v1/account/defaults')).body).toMatchObject({
      timezone: 'Europe/Oslo',
      callingWindow: [{ ...first, except: ['2027-12-25', '2027-12-26'] }, second],
      preDial: { url: 'https://example.com/ask', onError: 'wait', timeoutMs: 900 },
    });

    await page.reload();
    expect(await page.getByLabel('Not on these dates').inputValue()).toBe('2027-12-25, 2027-12-26');
    await press(page, 'Remove window 1');
    await page.getByRole('button', { name: 'Add another window' }).and(page.locator(':focus')).waitFor();
    expect(await page.getByLabel('From').inputValue()).toBe('13:00');
    await page.getByLabel('Not on these dates').fill('');
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    expect((await api.get('/v1/account/defaults')).body).toMatchObject({ callingWindow: [second] });
    await page.getByLabel('Calls start at certain hours only').uncheck();
    await page.getByLabel('Pre-dial check').fill('');
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    const { body } = await api.get('/v1/account/defaults');
    for (const name of ['callingWindow', 'preDial']) expect(body).not.toHaveProperty(name);
    expect(complaints.filter((words) => !words.includes('400'))).toEqual([]);
    await page.close();
  });

  test('prices are set with every problem at its field; then batch call, call and usage say what they have cost', async () => {
    const { batchId } = await aBatch({ status: 'running', counts: { ...noCalls, pending: 1 } });
    const { page } = await open(`/batches/${batchId}`);
    await page.getByRole('link', { name: 'no prices' }).click();
    await page.getByRole('heading', { level: 1, name: 'Prices' }).waitFor();
    await press(page, 'Add a price');
    const price = (number: number) => page.getByRole('group', { name: `Price ${number}` });
    await price(1).getByLabel('Gateway').and(page.locator(':focus')).waitFor();
    await press(page, 'Add a price');
    await page.getByLabel('Currency').fill('dollar');
    await price(2).getByLabel('Country').fill('usa');
    await price(2).getByLabel('Per minute').fill('0.12345678');
    await price(2).getByLabel('In steps of').fill('0');
    await press(page, 'Save');
    await page.getByText('Nothing was changed').waitFor();
    const fields = [
      price(1).getByLabel('Per minute'),
      ...['Country', 'Per minute', 'In steps of'].map((label) => price(2).getByLabel(label)),
    ];
    for (const field of [page.getByLabel('Currency'), ...fields]) {
      await field.and(page.locator('[aria-invalid="true"]')).waitFor();
    }
    expect(await page.getByRole('alert').locator('li').allInnerTexts()).toEqual([]);
    await expectAccessible(page);
    expect((await api.get('/v1/account/prices')).body).toEqual({ calls: [] });

    await press(page, 'Remove price 1');
    await page.getByLabel('Currency').fill('usd');
    await page.getByLabel('Country').fill('us');
    await page.getByLabel('Per minute').fill('0.0306');
    await page.getByLabel('In steps of').fill('30');
    await page.getByLabel('At least').fill('30');
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    const calls = [{ country: 'US', perMinute: 0.0306, incrementSeconds: 30, minimumSeconds: 30 }];
    expect((await api.get('/v1/account/prices')).body).toMatchObject({ currency: 'USD', calls });

    const callId = formatId('call', await aConversation(here().me.account.id, batchId, '+14155550123', 'US', 0));
    const cost = { amount: 0.0153, currency: 'USD', withoutPrice: 0 };
    expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({ cost });
    expect((await api.get(`/v2/sip/call/${callId}`)).body).toMatchObject({ data: { cost } });
    for (const path of [`/batches/${batchId}`, `/calls/${callId}`, '/usage?from=2027-03-01&to=2027-03-01']) {
      const shown = await open(path);
      await shown.page.getByText('0.0153 USD').first().waitFor();
      await shown.page.close();
    }
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    const { page: reading } = await open('/prices', { token, width: 360 });
    await reading.getByRole('columnheader', { name: 'USD per minute' }).waitFor();
    await reading.getByRole('cell', { name: '0.0306' }).waitFor();
    expect(
      await reading
        .locator('main')
        .getByRole('button', { name: /Save|Add a price/ })
        .count(),
    ).toBe(0);
    await expectAccessible(reading);
  });

  test('prices of models are added, changed and removed, with every problem at its field, and leave those of calls as they are', async () => {
    const calls = [{ perMinute: 0.02, incrementSeconds: 1, minimumSeconds: 1 }];
    const kept = { provider: 'openai', kind: 'stt', perMinute: 0.006 };
    const first = {
      provider: 'openai',
      model: 'gpt-4.1-mini',
      perMillionInputTokens: 0.4,
      perMillionOutputTokens: 1.6,
    };
    expect((await api.put('/v1/account/prices', { currency: 'USD', calls, models: [first, kept] })).status).toBe(200);
    const models = async () => ((await api.get('/v1/account/prices')).body as { models: { model?: string }[] }).models;
    const placeOf = async (model: string | undefined) => (await models()).findIndex((each) => each.model === model) + 1;

    const { page, complaints } = await open('/prices', { width: 360 });
    const price = (number: number) => page.getByRole('group', { name: `Price of models ${number}` });
    const [mini, hearing] = [price(await placeOf(first.model)), price(await placeOf(undefined))];
    await mini.getByLabel('Provider').and(page.locator('select')).waitFor();
    expect(await mini.getByLabel('Model', { exact: true }).inputValue()).toBe('gpt-4.1-mini');
    expect(await mini.getByLabel('Million tokens out').inputValue()).toBe('1.6');
    expect(await hearing.getByLabel('Minute of sound').inputValue()).toBe('0.006');

    await press(page, 'Add a price of models');
    await price(3).getByLabel('Provider').and(page.locator(':focus')).waitFor();
    await price(3).getByLabel('Model', { exact: true }).fill('some-model');
    await price(3).getByLabel('Million tokens in', { exact: true }).fill('a lot');
    await mini.getByLabel('Million tokens out').fill('1.7');
    await press(page, 'Save');
    await page.getByText('Nothing was changed').waitFor();
    const wrong = (label: string) =>
      price(3).getByLabel(label, { exact: true }).and(page.locator('[aria-invalid="true"]')).waitFor();
    await wrong('Million tokens in');
    expect(await page.getByRole('alert').locator('li').allInnerTexts()).toEqual([]);
    const same = (all: readonly object[]) => expect.arrayContaining([...all]) as unknown;
    expect(await models()).toEqual(same([first, kept]));
    await expectAccessible(page);

    await price(3).getByLabel('Million tokens in', { exact: true }).fill('0.1');
    await press(page, 'Save');
    await wrong('Provider');
    await price(3).getByLabel('Provider').selectOption('google');
    await price(3).getByLabel('Kind').selectOption('llm');
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    const added = { provider: 'google', model: 'some-model', kind: 'llm', perMillionInputTokens: 0.1 };
    expect(await models()).toEqual(same([{ ...first, perMillionOutputTokens: 1.7 }, kept, added]));
    expect(await models()).toHaveLength(3);

    await press(page, `Remove price of models ${await placeOf(first.model)}`);
    await press(page, 'Save');
    await vi.waitFor(async () => expect(await models()).toHaveLength(2), soon);
    expect(await models()).toEqual(same([kept, added]));
    expect((await api.get('/v1/account/prices')).body).toMatchObject({ currency: 'USD', calls });
    expect(complaints.filter((words) => !words.includes('400'))).toEqual([]);
    await page.close();
    expect((await api.put('/v1/account/prices', { currency: 'USD', calls: [], models: [] })).status).toBe(200);
  });

  test('of more prices than fields can show, the first hundred are listed and none can be changed', async () => {
    const { id: gatewayId } = await aGateway('outbound', { name: 'Far', numbers: ['+14155550999'] });
    const calls = getCountries()
      .slice(0, 60)
      .flatMap((country) => [
        { country, perMinute: 1 },
        { country, gatewayId, perMinute: 2 },
      ]);
    expect((await api.put('/v1/account/prices', { currency: 'USD', calls })).text).toContain('USD');
    const { page } = await open('/prices', { width: 360 });
    await page.getByText('The first 100 of 120 are shown. The others can be changed through the API.').waitFor();
    expect(await page.locator('main').getByRole('row').count()).toBe(101);
    expect(
      await page
        .locator('main')
        .getByRole('button', { name: /Save|Add a price/ })
        .count(),
    ).toBe(0);
    await expectAccessible(page);
    const models = Array.from({ length: 101 }, (_, index) => ({
      provider: 'openai',
      model: `m${index}`,
      perMinute: 1,
    }));
    expect((await api.put('/v1/account/prices', { currency: 'USD', calls: [], models })).status).toBe(200);
    const { page: many } = await open('/prices');
    await many.getByText('The first 100 of 101 are shown. The others can be changed through the API.').waitFor();
    await press(many, 'Add a price');
    await many.getByLabel('Per minute').fill('0.5');
    await press(many, 'Save');
    await many.getByText('Saved.').waitFor();
    const { body } = await api.get('/v1/account/prices');
    expect(body).toMatchObject({ calls: [{ perMinute: 0.5 }], models: expect.arrayContaining(models) as unknown });
    expect((await api.put('/v1/account/prices', { currency: 'USD', calls: [], models: [] })).status).toBe(200);
  });

  test('everyone can use these pages, and a token that may only read is offered nothing', async () => {
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    for (const [index, path] of ['/keys', '/webhooks', '/audit-log', '/usage', '/prices', '/defaults'].entries()) {
      const { page, complaints } = await open(path, { width: index % 2 === 0 ? 360 : 2_560 });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      await expectAccessible(page);
      expect({ path, complaints }).toEqual({ path, complaints: [] });
      await page.close();
      const { page: reading } = await open(path, { token });
      await reading.getByText('read only').waitFor();
      await reading
        .locator('table, dl')
        .or(reading.getByText(/There are no (?:webhooks|prices)/))
        .first()
        .waitFor();
      const offered = reading
        .locator('main')
        .getByRole('button', { name: /New|Delete|Revoke|Rotate|Show the|Save|Change/ });
      expect({ path, offered: await offered.count() }).toEqual({ path, offered: 0 });
      await reading.close();
    }
  });
});
