import { sql } from 'kysely';
import type { Browser, Page } from 'playwright-core';
import { v7 } from 'uuid';
import { beforeAll, describe, expect, test } from 'vitest';
import { signToken } from '../../../platform/token.js';
import { aRoute, type Route } from '../../api/batch-calls/support.js';
import { aGateway, anAgent, aRegisteredNumber, aRule } from '../../api/support-resources.js';
import { api, here, useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

interface Figures {
  readonly rows: readonly { readonly key: string | null; readonly attempts: number; readonly answered: number }[];
}

/** A call of today that is over. */
async function aCallThrough({ gatewayId, ruleId, phoneNumber }: Route, status: string): Promise<void> {
  const { db } = here().database;
  const accountId = here().me.account.id;
  const id = v7();
  const answeredAt = status === 'answered' ? sql`now()` : null;
  await sql`insert into calls (id, account_id, position, to_number, from_number, rule_id, gateway_id)
    values (${id}, ${accountId}, 0, '+14155550123', ${phoneNumber}, ${ruleId}, ${gatewayId})`.execute(db);
  await sql`insert into call_attempts (call_id, number, account_id, gateway_id, to_number, phase, outcome, due_at, dialed_at,
      answered_at, ended_at, callee_hour)
    values (${id}, 1, ${accountId}, ${gatewayId}, '+14155550123', 'ended', ${status}, now(), now(), ${answeredAt}, now(),
      date_trunc('hour', now() at time zone 'UTC'))`.execute(db);
  await sql`update calls set status = ${status}, attempts_made = 1, ended_at = now() where id = ${id}`.execute(db);
}

describe.skipIf(noBrowser !== undefined)(`trunks, numbers and rules, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  let route: Route;

  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
    route = await aRoute();
    for (const status of ['answered', 'missed', 'missed']) await aCallThrough(route, status);
    await sql`update gateway_admission set suspended_since = now(), suspended_reason = 'credentials refused', probe_at = now()
      where gateway_id = ${route.gatewayId}`.execute(here().database.db);
  });

  const open = (path: string, options = {}) => openConsole(browser, served, path, options);
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const confirm = async (page: Page, word: string, action: string) => {
    const button = page.getByRole('dialog').getByRole('button', { name: action });
    expect(await button.isDisabled()).toBe(true);
    await page.getByLabel(`Type ${word} to confirm`).fill(word);
    await button.click();
  };
  /** Resolves as soon as the field says that something is wrong with it. */
  const invalid = (page: Page, label: string) =>
    page.getByLabel(label, { exact: true }).and(page.locator('[aria-invalid="true"]')).waitFor();

  test('the list says what is in use of each, why nothing is dialed, and how many are answered, as the API does', async () => {
    const { page, complaints } = await open('/gateways');
    const line = page.locator(`[data-gateway="${route.gatewayId}"]`);
    await line.getByText('suspended', { exact: true }).waitFor();
    await line.getByText('credentials refused').waitFor();
    const { gateways } = (await api.get('/v1/overview')).body as { gateways: Record<string, unknown>[] };
    const use = gateways.find(({ gatewayId }) => gatewayId === route.gatewayId)!;
    const { rows } = (await api.get('/v1/stats?by=phoneNumber')).body as Figures;
    const { attempts, answered } = rows.find(({ key }) => key === route.phoneNumber)!;
    expect([attempts, answered]).toEqual([3, 1]);
    const cells = await line.getByRole('cell').allInnerTexts();
    expect(cells.slice(3, 5)).toEqual([
      `${String(use.liveCalls)} of ${String(use.maxConcurrentCalls)}`,
      `${String(use.callsPerSecondUsed)} of ${String(use.callsPerSecond)}`,
    ]);
    expect(cells[5]).toContain('33.3%');
    await page.getByRole('searchbox').fill('no such trunk');
    await page.getByText('No gateway matches the filter.').waitFor();
    await page.waitForURL(/search=no/);
    await page.getByRole('searchbox').fill('');
    await page.getByLabel('Calls go').selectOption('in');
    await page.getByText('There is no inbound gateway.').waitFor();
    await page.waitForURL(/type=inbound/);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a gateway is made with every problem at its field, checked, changed without its password, and deleted', async () => {
    const { page, complaints } = await open('/gateways/new');
    await page.getByLabel('Maximum concurrent calls').fill('many');
    await page.getByText('More settings').click();
    await page.getByLabel('Metadata').fill('{');
    await press(page, 'Create gateway');
    await page.getByText('Nothing was created').waitFor();
    await invalid(page, 'Metadata');
    await page.getByLabel('Metadata').fill('{"floor": 3}');
    await page.getByLabel('SIP headers of every INVITE').fill('X-Account: 17');
    await press(page, 'Create gateway');
    for (const label of ['Name', 'Address of the trunk', 'Maximum concurrent calls']) await invalid(page, label);
    expect(await page.getByLabel('Metadata').getAttribute('aria-invalid')).not.toBe('true');
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('Main trunk');
    await page.getByLabel('Address of the trunk').fill('sip.carrier.example');
    await page.getByLabel('Maximum concurrent calls').fill('12');
    await page.getByLabel('Of these, reserved for single and inbound calls').fill('12');
    await page.getByLabel('User name').fill('outdial');
    await page.getByLabel('Password', { exact: true }).fill('s3cret');
    await press(page, 'Create gateway');
    await page.getByText('batch calls need a line').first().waitFor();
    await page.getByLabel('Of these, reserved for single and inbound calls').fill('3');
    await press(page, 'Create gateway');
    await page.getByRole('heading', { level: 1, name: 'Main trunk' }).waitFor();
    const id = page.url().split('/').at(-1)!;
    const stored = async () => (await api.get(`/v2/sip/outbound-gateways/${id}`)).body;
    expect(await stored()).toMatchObject({
      ...{
        maxConcurrentCalls: 12,
        reservedCalls: 3,
        auth: { username: 'outdial' },
        headers: { 'X-Account': '17' },
        metadata: { floor: 3 },
      },
    });
    await page.getByText('Batch calls leave 3 lines free for single and inbound calls.').waitFor();
    await press(page, 'Check whether it answers');
    await page.getByText('It answers. SIP 200 OK. After 12 ms.').waitFor();

    await page.getByLabel('Maximum concurrent calls').fill('20');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await press(page, 'Save');
    expect((await sent).postDataJSON()).toEqual({ maxConcurrentCalls: 20 });
    await page.getByText('Saved.').waitFor();
    await page.getByLabel('New password', { exact: true }).fill('0ther');
    const next = page.waitForRequest((request) => request.method() === 'PATCH');
    await press(page, 'Save');
    expect((await next).postDataJSON()).toEqual({ auth: { username: 'outdial', password: '0ther' } });
    await page.getByText('Saved.').waitFor();
    expect(await page.getByLabel('New password', { exact: true }).inputValue()).toBe('');
    await page.getByLabel('User name').fill('');
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    expect(await stored()).not.toHaveProperty('auth');

    await press(page, 'Delete');
    await confirm(page, 'delete', 'Delete this gateway');
    await page.getByRole('heading', { level: 1, name: 'Gateways' }).waitFor();
    expect((await api.get(`/v2/sip/outbound-gateways/${id}`)).status).toBe(404);
    expect(complaints.filter((words) => !/40[04]/.test(words))).toEqual([]);
    await page.close();
  });

  test('a gateway that a call needs is not deleted, and the page says what the API says', async () => {
    const { page } = await open(`/gateways/${route.gatewayId}`);
    const figures = page.locator(`[data-number="${route.phoneNumber}"] td`);
    await figures.first().waitFor();
    expect((await figures.allInnerTexts()).slice(1)).toEqual(['3', '1', '33.3%']);
    await page.route('**/v2/sip/outbound-gateways/*', (asked) =>
      asked.request().method() === 'DELETE'
        ? asked.fulfill({ status: 409, json: { message: 'A batch call dials through it' } })
        : asked.continue(),
    );
    await press(page, 'Delete');
    await confirm(page, 'delete', 'Delete this gateway');
    await page.getByText('A batch call dials through it').waitFor();
    await page.close();
  });

  test('numbers are registered, attached, detached and released', async () => {
    const { page, complaints } = await open('/numbers/new');
    await page.getByLabel('Numbers', { exact: true }).fill('12\n+14155550177');
    await press(page, 'Register numbers');
    await page.getByText('Nothing was created').waitFor();
    for (const label of ['Name', 'Numbers', 'Address of the trunk']) await invalid(page, label);
    await page.getByLabel('Name', { exact: true }).fill('Reminders');
    await page.getByLabel('Numbers', { exact: true }).fill('+14155550177');
    await page.getByLabel('Address of the trunk').fill('sip.carrier.example');
    await press(page, 'Register numbers');
    await page.getByRole('link', { name: '+14155550177' }).click();
    const trunk = await aGateway('outbound', { name: 'Second trunk', numbers: ['+14155550178'] });

    await press(page, 'Detach');
    await press(page, 'Detach this number');
    await page.getByLabel('Gateway for calls that go out').selectOption('Second trunk');
    await page.getByRole('button', { name: 'Attach' }).first().click();
    await page.getByRole('link', { name: 'Second trunk' }).waitFor();
    expect((await api.get(`/v2/sip/outbound-gateways/${trunk.id}`)).body).toMatchObject({
      numbers: ['+14155550177', '+14155550178'],
    });
    await press(page, 'Release');
    await confirm(page, 'release', 'Release this number');
    await page.getByRole('heading', { level: 1, name: 'Numbers' }).waitFor();
    expect((await api.get('/v2/sip/phone-numbers/+14155550177')).status).toBe(404);
    expect(complaints.filter((words) => !/40[04]/.test(words))).toEqual([]);
    await page.close();
  });

  test('a rule is made for an agent and a number, changed, and deleted', async () => {
    const agentId = await anAgent();
    const { e164 } = await aRegisteredNumber({ phoneNumbers: ['+14155550301'] });
    const { page, complaints } = await open('/rules/new');
    await press(page, 'Create rule');
    await page.getByText('Nothing was created').waitFor();
    for (const label of ['Name', 'Agent']) await invalid(page, label);
    await page.getByLabel('Name', { exact: true }).fill('Reminders');
    await page.getByLabel('Agent', { exact: true }).selectOption(agentId);
    await page.getByLabel(new RegExp(`^\\${e164}`)).check();
    await page.getByLabel('Keypad tones (DTMF)').check();
    await press(page, 'Create rule');
    await page.getByRole('heading', { level: 1, name: 'Reminders' }).waitFor();
    const path = `/v2/sip/routing-rule/${page.url().split('/').at(-1)!}`;
    expect((await api.get(path)).body).toMatchObject({ agentId, phoneNumbers: [e164], dtmf: true, type: 'outbound' });
    await page.getByLabel('Keypad tones (DTMF)').uncheck();
    await page.getByText('More settings').click();
    await page.getByLabel('Numbers that may be called').fill('+1415*\n+1416*');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await press(page, 'Save');
    expect((await sent).postDataJSON()).toEqual({ dtmf: false, allowedNumbers: ['+1415*', '+1416*'] });
    await page.getByText('Saved.').waitFor();
    await press(page, 'Delete');
    await confirm(page, 'delete', 'Delete this rule');
    await page.getByRole('heading', { level: 1, name: 'Routing rules' }).waitFor();
    expect((await api.get(path)).status).toBe(404);
    expect(complaints.filter((words) => !/40[04]/.test(words))).toEqual([]);
    await page.close();
  });

  test('an inbound rule is told for how many days callers are known by the last call to them, and no longer', async () => {
    const ruleId = await aRule({ type: 'inbound' });
    const stored = async () => (await api.get(`/v2/sip/routing-rule/${ruleId}`)).body;
    // A form that was saved begins anew, with its rare settings folded.
    const save = async (value: string, judge: (page: Page) => Promise<void>) => {
      const { page } = await open(`/rules/${ruleId}`);
      await page.getByText('More settings').click();
      await page.getByLabel('Recognize callers by calls to them').fill(value);
      await press(page, 'Save');
      await judge(page);
      await page.close();
    };
    await save('91', async (page) => {
      await page.getByText('Nothing was changed').waitFor();
      await invalid(page, 'Recognize callers by calls to them in the last, in days');
    });
    await save('30', () => expect.poll(stored).toMatchObject({ matchRecent: { days: 30 } }));
    await save('', () => expect.poll(stored).not.toHaveProperty('matchRecent'));
  });

  test('everyone can use these pages, narrow and wide, in both themes', async () => {
    const { e164 } = await aRegisteredNumber({ phoneNumbers: ['+14155550302'] });
    const ruleId = await aRule({ phoneNumbers: [e164] });
    const paths = [
      ...['/gateways', `/gateways/${route.gatewayId}`, '/gateways/new?type=inbound', '/numbers'],
      ...[`/numbers/${route.phoneNumberId}`, '/numbers/new', '/rules', `/rules/${ruleId}`, '/rules/new?type=inbound'],
    ];
    for (const [index, path] of paths.entries()) {
      const { page, complaints } = await open(path, { width: index % 2 === 0 ? 360 : 2_560 });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
      await page.locator('form, table').first().waitFor();
      await expectAccessible(page);
      expect({ path, complaints }).toEqual({ path, complaints: [] });
      await page.close();
    }
  });

  test('a token that may only read sees all of it and is offered nothing that changes it', async () => {
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    const ruleId = await aRule();
    const paths = [`/gateways/${route.gatewayId}`, '/gateways/new', `/numbers/${route.phoneNumberId}`, '/numbers/new'];
    for (const path of [...paths, `/rules/${ruleId}`, '/rules/new', '/gateways', '/numbers', '/rules']) {
      const { page } = await open(path, { token });
      await page.getByText('read only').waitFor();
      await page.locator('dl, table').or(page.getByText('Your token may only read.')).first().waitFor();
      const offered = page
        .locator('main')
        .getByRole('button', { name: /Delete|Detach|Release|Attach|Save|Create|Register|Check/ });
      expect({ path, offered: await offered.count() }).toEqual({ path, offered: 0 });
      expect(await page.getByRole('link', { name: /^(New|Register)/ }).count()).toBe(0);
      await page.close();
    }
  });
});
