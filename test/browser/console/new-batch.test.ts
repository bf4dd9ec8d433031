import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type Route, stored } from '../../api/batch-calls/support.js';
import { aGateway, aRule, rowsOf } from '../../api/support-resources.js';
import { api, here, useApi } from '../../api/support.js';
import { signToken } from '../../../platform/token.js';
import { soon } from '../../setup/soon.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { aGreetingRoute, chooseFile } from './support-new-batch.js';
import { expectAccessible, expectFocusHeld, openConsole } from './support.js';

useApi();

const people =
  'Mobile,Vorname,timezone\n+919877012345,Asha,Asia/Kolkata\n+91 98770 12346,Bo,America/New_York\n12,Cy,\n+919877012399,Dee,\n';

describe.skipIf(noBrowser !== undefined)(
  `a new batch call in the console, in Chromium (${noBrowser ?? 'there'})`,
  () => {
    let browser: Browser;
    let served: ServedApp;
    let route: Route;

    beforeAll(async () => {
      browser = await sharedBrowser();
      served = await serveApp();
      route = await aGreetingRoute();
      await rowsOf('insert into do_not_call (account_id, e164) values ($1, $2)', [
        here().me.account.id,
        '+919877012399',
      ]);
    });

    const batches = async () =>
      ((await api.get('/v1/batch-calls')).body as { data: { batchId: string; batchName: string }[] }).data;
    const figureOf = (page: Page, name: string) =>
      page.getByRole('group', { name, exact: true }).locator('div').innerText();

    /** The page with the file of all cases, its columns named. */
    async function tried(width?: number) {
      const opened = await openConsole(browser, served, '/new', width === undefined ? {} : { width });
      const { page } = opened;
      await chooseFile(page, people);
      await page.getByLabel('Number to call from').selectOption(route.phoneNumber);
      await page.getByLabel('Column with the phone numbers').selectOption('Mobile');
      await page.getByLabel('Column that fills first_name').selectOption('Vorname');
      await page.getByRole('article', { name: 'Row 2' }).getByText('Hello Asha, this is Acme.').waitFor();
      await page.getByRole('button', { name: 'Start calling' }).and(page.locator(':enabled')).waitFor();
      return opened;
    }

    test('by mouse: all that a file would do is shown as the API says it, nothing is stored, and the last click makes one batch call', async () => {
      const prices = { currency: 'INR', calls: [{ perMinute: 6, incrementSeconds: 60 }] };
      expect((await api.put('/v1/account/prices', prices)).status).toBe(200);
      const before = await stored();
      const { page, complaints } = await tried();
      const columns = { phone_number: 'Mobile', first_name: 'Vorname' };
      const form = new FormData();
      for (const [name, value] of Object.entries({ name: 'march', phoneNumber: route.phoneNumber }))
        form.set(name, value);
      form.set('columns', JSON.stringify(columns));
      form.set('file', new File([people], 'march.csv'));
      const headers = { authorization: here().me.token };
      const response = await fetch(`${served.url}/v1/batch-calls/validate`, { method: 'POST', headers, body: form });
      const report = (await response.json()) as Record<string, number> & {
        rejected: { message: string }[];
        estimate: { basis: string; cost: { low: number; high: number; basis: string } };
      };
      expect(report).toMatchObject({ rows: 4, recordsUploaded: 2, recordsRejected: 2, recordsCorrected: 1 });
      expect(await figureOf(page, 'Rows in the file')).toBe(`${report.rows}`);
      expect(await figureOf(page, 'Numbers to call')).toBe(`${report.recordsUploaded}`);
      expect(await figureOf(page, 'Rows not called')).toBe(`${report.recordsRejected}`);
      expect(await figureOf(page, 'Numbers corrected')).toBe(`${report.recordsCorrected}`);
      await page.getByText(report.estimate.basis).waitFor();
      const { low, high, basis } = report.estimate.cost;
      await page.getByText(`They cost about ${low} to ${high} INR. ${basis}`).waitFor();
      const rejected = await page.getByRole('region', { name: 'Rows left out' }).innerText();
      for (const { message } of report.rejected) expect(rejected).toContain(message);
      await page.getByRole('region', { name: 'Held back' }).getByText('1 on the do-not-call list').waitFor();
      await page.getByRole('region', { name: 'Corrected numbers' }).getByText('+919877012346').waitFor();
      const zones = await page.getByRole('region', { name: 'The start in every time zone' }).innerText();
      for (const zone of ['Asia/Calcutta', 'Asia/Kolkata', 'America/New_York', 'UTC']) expect(zones).toContain(zone);
      const download = page.waitForEvent('download');
      await page.getByRole('region', { name: '2 rows not called' }).getByRole('button', { name: 'Download' }).click();
      expect((await download).suggestedFilename()).toBe('rejected-rows.csv');
      expect(await stored()).toEqual(before);

      await page.getByRole('button', { name: 'Start calling' }).dblclick();
      await vi.waitFor(async () => expect(await batches()).toHaveLength(1), soon);
      const [{ batchId, batchName } = { batchId: '', batchName: '' }] = await batches();
      expect(batchName).toBe('march');
      expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({ columns });
      await page.waitForURL(`${served.url}/console/batches/${batchId}`);
      expect(complaints).toEqual([]);
      await page.close();
    });

    test('it calls from several numbers of the rule, and a retry from another one', async () => {
      const { id } = await aGateway('outbound', { name: 'Pool', numbers: ['+14155550601', '+14155550602'] });
      expect(id).toMatch(/^gwo_/);
      await aRule({ name: 'Pool', agentId: route.agentId, phoneNumbers: ['+14155550601', '+14155550602'] });
      const { page, complaints } = await openConsole(browser, served, '/new');
      await chooseFile(page, 'phone_number\n+14155550188\n', 'pool.csv');
      await page.getByLabel('Number to call from').selectOption('+14155550601');
      await page.getByLabel('+14155550602').check();
      await page.getByRole('button', { name: 'Add a retry' }).click();
      await page.getByLabel('A retry calls from').selectOption('other');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Start calling' }).and(page.locator(':enabled')).waitFor();
      await page.getByRole('button', { name: 'Start calling' }).click();
      await page.getByRole('heading', { level: 1, name: 'pool' }).waitFor();
      const batchId = page.url().split('/').at(-1)!;
      expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({
        phoneNumbers: ['+14155550601', '+14155550602'],
        numberOnRetry: 'other',
      });
      await page.getByText('+14155550601, +14155550602').waitFor();
      expect(complaints.filter((words) => !words.includes('400'))).toEqual([]);
      await page.close();
    });

    test('several windows and dates without calls become the calling window of the batch call', async () => {
      const { page, complaints } = await tried(360);
      await page.getByLabel('Calls start at certain hours only').check();
      await page.getByLabel('Until', { exact: true }).fill('12:00');
      await page.getByRole('button', { name: 'Add another window' }).click();
      const second = page.getByRole('group', { name: 'Window 2' });
      await second.getByLabel('From').fill('14:00');
      await second.getByLabel('Until').fill('14:00');
      await page.getByLabel('Not on these dates').fill('2027-13-01');
      await second.getByText('must differ from callingWindow[1].from').waitFor();
      await page.getByText('2027-13-01 must be a date').waitFor();
      await expectAccessible(page);
      await second.getByLabel('Until').fill('02:00');
      await second.getByText('HH:MM, on the next day').waitFor();
      await second.getByLabel('Sunday').uncheck();
      await page.getByLabel('Not on these dates').fill('2027-12-25');
      const start = page.getByRole('button', { name: 'Start calling' });
      await start.and(page.locator(':enabled')).waitFor();
      await start.click();
      await page.waitForURL(/batches\/batch_/);
      const batchId = page.url().split('/').at(-1) ?? '';
      const morning = { from: '09:00', until: '12:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timezone: 'recipient' };
      expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({
        callingWindow: [
          { ...morning, except: ['2027-12-25'] },
          { ...morning, from: '14:00', until: '02:00', daysOfWeek: [1, 2, 3, 4, 5, 6] },
        ],
      });
      await page.getByText('Not on 2027-12-25.').waitFor();
      expect(complaints.filter((words) => !words.includes('400'))).toEqual([]);
    });

    test('a lost answer keeps what was typed, and trying again makes no second batch call', async () => {
      const before = (await batches()).length;
      const { page } = await tried();
      await page.getByLabel('Name of the batch call').fill('April');
      await page.route('**/v1/batch-calls', async (asked) => {
        await asked.fetch(); // the service does it, and the page never hears of it
        await asked.abort();
      });
      await page.getByRole('button', { name: 'Start calling' }).click();
      await page
        .getByRole('alert')
        .getByText('It is not known whether the batch call was made')
        .waitFor({ timeout: 30_000 });
      await expectAccessible(page);
      expect(await page.getByLabel('Name of the batch call').inputValue()).toBe('April');
      expect(await page.getByLabel('Name of the batch call').isDisabled()).toBe(true);
      expect(await batches()).toHaveLength(before + 1);
      await page.unroute('**/v1/batch-calls');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { level: 1, name: 'New batch call' }).waitFor({ state: 'detached' });
      expect((await batches()).filter(({ batchName }) => batchName === 'April')).toHaveLength(1);
      await page.close();
    });

    test('by keyboard: numbers are pasted, and each problem that the API names stands at its field, all at once', async () => {
      const before = await stored();
      const { page, complaints } = await openConsole(browser, served, '/new');
      const press = async (key: string, times = 1) => {
        for (let time = 0; time < times; time += 1) await page.keyboard.press(key);
      };
      const tabTo = async (name: string | RegExp, role: 'textbox' | 'combobox' | 'button' | 'radio' | 'checkbox') => {
        const wanted = page.getByRole(role, { name });
        await wanted.waitFor();
        for (let tabs = 0; tabs < 80; tabs += 1) {
          if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
          await press('Tab');
        }
        throw new Error(`The Tab key does not lead to ${String(name)}`);
      };
      await tabTo('Or paste numbers', 'textbox');
      await page.keyboard.type('+919877012345\n+919877012346\n');
      await tabTo('Number to call from', 'combobox');
      await page.keyboard.type(route.phoneNumber);
      await tabTo('As soon as the file has been read', 'radio');
      await press('ArrowDown');
      await tabTo('By the clocks of', 'combobox');
      await press('Control+A');
      await page.keyboard.type('Mars/Olympus');
      await tabTo('Calls start at certain hours only', 'checkbox');
      await press('Space');
      await tabTo('Until', 'textbox');
      await press('Control+A');
      await page.keyboard.type('25:00');
      await tabTo('Add a retry', 'button');
      await press('Enter');
      await press('Shift+Tab', 2);
      await press('Control+A');
      await page.keyboard.type('0');
      await tabTo('Maximum concurrent calls', 'textbox');
      await page.keyboard.type('many');
      const at = (field: string) =>
        page.getByRole('textbox', { name: field, exact: true }).locator('xpath=ancestor::*[3]');
      await page.getByText('must be a whole number from 1 to 10000').waitFor();
      await at('Until').getByText('must be HH:MM').waitFor();
      await page.getByText('must be a whole number of seconds from 1 to 604800').waitFor();
      await page.getByText('must be YYYY-MM-DD').waitFor();
      await page.getByText('IANA').first().waitFor();
      await page.getByText('is required', { exact: true }).waitFor(); // the name
      await expectAccessible(page);
      expect(await page.getByRole('button', { name: /^Schedule/ }).isDisabled()).toBe(true);
      expect(await stored()).toEqual(before);
      expect(complaints.filter((words) => !words.includes('400'))).toEqual([]);
      await page.close();
    });

    test.each([360, 2_560])('everyone can use it at %i px, in both themes', async (width) => {
      const { page, complaints } = await tried(width);
      await page.getByLabel('Calls start at certain hours only').check();
      await page.getByRole('button', { name: 'Add a retry' }).click();
      await page.getByRole('button', { name: 'Add a retry' }).click();
      await page.getByText('Tries again up to 2 times, after 5 min and after 1 h, if busy or declined').waitFor();
      await expectAccessible(page);
      expect(complaints).toEqual([]);
      await page.close();
    });

    test('my own telephone is called with the data of row 3, once it is confirmed', async () => {
      const { page } = await tried();
      await page.getByLabel('My own telephone').fill('+91 98770 55555');
      const ask = page.getByRole('button', { name: 'Call my telephone with row 3' });
      await expectFocusHeld(page, ask);
      await ask.click();
      const calls = async () =>
        ((await api.get('/v2/sip/call?search=%2B919877055555')).body as { data: object[] }).data;
      expect(await calls()).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Call now' }).click();
      await page.getByRole('status').getByText('The call to +919877055555').waitFor();
      const metadata = { first_name: 'Bo', timezone: 'America/New_York' };
      expect(await calls()).toMatchObject([{ to: '+919877055555', from: route.phoneNumber, metadata }]);
      await page.close();
    });

    test('agents that are compared divide the recipients by their weights, and the page of the batch call names them', async () => {
      const second = await aGreetingRoute();
      await rowsOf(`update agents set name = 'Second' where id = $1`, [second.agentId]);
      const { page, complaints } = await tried();
      await page.getByRole('button', { name: 'Compare agents' }).click();
      await page.getByLabel('Agent 1', { exact: true }).selectOption('Reminder');
      await page.getByLabel('Agent 2', { exact: true }).selectOption('Second');
      await page.getByRole('group', { name: 'Variant 2' }).getByLabel('Weight').fill('150');
      await page.getByRole('group', { name: 'Variant 2' }).getByText('75%').waitFor();
      await expectAccessible(page);
      const start = page.getByRole('button', { name: 'Start calling' });
      await start.and(page.locator(':enabled')).waitFor();
      await start.click();
      await page.waitForURL(/batches\/batch_/);
      const batchId = page.url().split('/').at(-1) ?? '';
      expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({
        variants: [
          { agentId: route.agentId, weight: 50 },
          { agentId: second.agentId, weight: 150 },
        ],
      });
      await page.getByText('Reminder (weight 50), Second (weight 150)').waitFor();
      expect(complaints).toEqual([]);
      await page.close();
    });

    test('a token that may only read is offered no batch call', async () => {
      const { me } = here();
      const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
      const { page } = await openConsole(browser, served, '/new', { token });
      await page.getByText('Your token may only read.').waitFor();
      expect(await page.getByRole('button', { name: 'Start calling' }).count()).toBe(0);
      expect(await page.getByRole('link', { name: 'New batch call' }).count()).toBe(0);
      await page.close();
    });
  },
);
