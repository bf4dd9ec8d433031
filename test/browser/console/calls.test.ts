import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { aRoute } from '../../api/batch-calls/support.js';
import { aBatchOf } from '../../api/batch-calls/support-records.js';
import { rowsOf } from '../../api/support-resources.js';
import { readTranscripts } from '../../../db/queries/calls/transcript-words.js';
import { anAccount, api, here, useApi } from '../../api/support.js';
import { soon } from '../../setup/soon.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole, openTab } from './support.js';

useApi();

interface Item {
  readonly id: string;
  readonly to: string;
}
interface Row {
  getAttribute(name: string): string;
}

describe.skipIf(noBrowser !== undefined)(`the list of calls, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  let batchId: string;
  let agentId: string;

  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
    const route = await aRoute();
    ({ agentId } = route);
    const records = Array.from({ length: 23 }, (_, index) => ({
      phoneNumber: `+1415555${1_000 + index}`,
      status: index % 2 === 0 ? ('answered' as const) : ('missed' as const),
      ...(index % 2 === 0 ? { reason: 'callee_hung_up' } : { reason: 'no_response' }),
    }));
    ({ batchId } = await aBatchOf(records, { name: 'March', route }));
    await aBatchOf([{ phoneNumber: '+14155552000', reason: 'agent_hung_up' }], { name: 'Other' });
    await rowsOf(`update agents set name = '<b>Reminder</b>' where id = $1`, [agentId]);
    await rowsOf(`update calls set created_at = '2026-03-01T12:00:30Z' where to_number = '+14155551001'`, []);
    await rowsOf(
      `update calls set talk_seconds = 61 + substr(to_number, 9)::integer % 10 where to_number in ('+14155551002', '+14155551004')`,
      [],
    );
    await rowsOf(
      `insert into recordings (call_id, account_id, attempt, started_at)
       select id, account_id, 1, now() from calls where to_number = '+14155551004'`,
      [],
    );
    await rowsOf(`update calls set simulated = true where to_number = '+14155551003'`, []);
    await rowsOf(`update calls set type = 'inbound', answered_by = null where to_number = '+14155552000'`, []);
  });

  const listed = async (query: string) => {
    const { data } = (await api.get(`/v2/sip/call?perPage=20${query}`)).body as { data: Item[] };
    return data;
  };
  const shown = (page: Page) =>
    page
      .locator('[data-call]')
      .evaluateAll((all) => (all as unknown as Row[]).map((each) => each.getAttribute('data-call')));
  const showing = (page: Page, query: string) =>
    vi.waitFor(async () => {
      const wanted = (await listed(query)).map(({ id }) => id);
      expect(wanted).not.toEqual([]);
      expect(await shown(page)).toEqual(wanted);
    }, soon);
  const open = (query = '', options = {}) => openConsole(browser, served, `/calls${query}`, options);

  test('every filter is in the address and asked of the service: what is listed is what the API lists', async () => {
    const { page, complaints } = await open();
    await showing(page, '');
    await page.getByText('1 to 20 of 24').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await showing(page, '&page=2');
    await page.goBack();
    await showing(page, '');
    await page.getByRole('button', { name: 'answered', exact: true }).click();
    await showing(page, '&status=ended');
    await page.getByLabel('Agent', { exact: true }).selectOption('<b>Reminder</b>');
    await showing(page, `&status=ended&agentId=${agentId}`);
    await page.getByRole('button', { name: 'outbound' }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('555100');
    await showing(page, `&status=ended&agentId=${agentId}&type=outbound&search=555100`);

    const elsewhere = await open(page.url().slice(page.url().indexOf('?')));
    await showing(elsewhere.page, `&status=ended&agentId=${agentId}&type=outbound&search=555100`);
    expect(await elsewhere.page.getByRole('searchbox').inputValue()).toBe('555100');
    await elsewhere.page.getByRole('button', { name: 'As curl' }).click();
    const curl = await elsewhere.page.getByRole('dialog').locator('pre').innerText();
    for (const part of ['/v2/sip/call?', 'status=ended', `agentId=${agentId}`, 'type=outbound', 'search=555100']) {
      expect(curl).toContain(part);
    }
    await elsewhere.page.close();

    await page.getByRole('searchbox').fill('999999');
    await page.getByText('No call matches the filter.').waitFor();
    await page.getByRole('button', { name: 'Show all calls' }).click();
    await showing(page, '');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('words that were said are looked for, and are in the address', async () => {
    await rowsOf(
      `update calls set transcript = '[{"speaker":"callee","text":"A refund, please"}]' where to_number = '+14155551006'`,
      [],
    );
    while (await readTranscripts(here().database.db));
    const { page, complaints } = await open();
    await showing(page, '');
    await page.getByLabel('Words said in the call').fill('refund please');
    await showing(page, '&transcript=refund+please');
    expect(await page.locator('[data-call]').innerText()).toContain('+14155551006');
    await page.getByLabel('Words said in the call').fill('refund -please');
    await page.getByText('No call matches the filter.').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('it says before when calls were not searched for words, as the API has it', async () => {
    const { page } = await openTab(browser);
    const searchedFrom = Date.parse('2026-03-02T09:30:00Z');
    await page.route(/\/v2\/sip\/call\?.*transcript=/, async (asked) => {
      const answer = await asked.fetch();
      await asked.fulfill({ response: answer, json: { ...((await answer.json()) as object), searchedFrom } });
    });
    await page.addInitScript({
      content: `sessionStorage.setItem('outdial.token', ${JSON.stringify(here().me.token)})`,
    });
    await page.goto(`${served.url}/console/calls?transcript=hello`);
    await page.getByText('were not searched: choose a time, or add words').waitFor();
    expect(await page.locator('time[datetime="2026-03-02T09:30:00.000Z"]').count()).toBe(1);
    await expectAccessible(page);
  });

  test('talk time and recordings are filtered by, and are in the address', async () => {
    const { page, complaints } = await open();
    await showing(page, '');
    await page.getByLabel('Talk time, in seconds').fill('60-');
    await showing(page, '&duration=60-');
    await page.getByLabel('Recording').selectOption('recorded');
    await showing(page, '&duration=60-&hasRecording=true');
    await page.reload();
    await showing(page, '&duration=60-&hasRecording=true');
    expect(await page.getByLabel('Talk time, in seconds').inputValue()).toBe('60-');
    await page.getByLabel('Recording').selectOption('not recorded');
    await showing(page, '&duration=60-&hasRecording=false');
    await page.getByLabel('Talk time, in seconds').fill('long');
    await page.getByText('A range such as').waitFor();
    await page.getByLabel('Recording').selectOption('With or without');
    await showing(page, '&duration=60-');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a time range is by the clock of whoever looks, to the minute', async () => {
    const { page } = await open();
    await showing(page, '');
    const local = await page.evaluate(() => {
      const instant = new Date('2026-03-01T12:00:00Z');
      return new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    });
    await page.getByLabel('Made from').fill(local);
    await page.getByLabel('Made until').fill(local);
    const noon = Date.parse('2026-03-01T12:00:00Z');
    await showing(page, `&startDate=${noon}&endDate=${noon + 59_999}`);
    expect(await page.locator('[data-call]').innerText()).toContain('+14155551001');
    await page.close();
  });

  test('a batch call leads to its calls, and the filter can be taken back', async () => {
    const { page } = await openConsole(browser, served, `/batches/${batchId}`);
    await page.getByRole('link', { name: 'show in the list of calls' }).click();
    await showing(page, `&batchId=${batchId}`);
    await page.getByText(`Only calls of the batch call ${batchId}`).waitFor();
    await page.getByRole('button', { name: 'Show all calls' }).click();
    await showing(page, '');
    await page.close();
  });

  test('each line has the name of its batch call, which leads there', async () => {
    const { page } = await open('?search=5551003');
    await page.locator('[data-call]').getByRole('link', { name: 'March', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'March' }).waitFor();
    expect(page.url()).toContain(batchId);
    await page.close();
  });

  test('each line says how the call ended, marks simulated ones, and names who called whom', async () => {
    const { page } = await open('?search=5551003');
    const line = page.locator('[data-call]');
    await line.getByText('simulated').waitFor();
    expect(await line.innerText()).toContain('no response · 486 Busy Here');
    await page.getByRole('searchbox').fill('5552000');
    await line.getByRole('img', { name: 'from' }).waitFor();
    await line.getByText('answered', { exact: true }).waitFor();
    expect(await line.getByText('simulated').count()).toBe(0);
    await page.close();
  });

  test('by keyboard alone a call is reached and opened', async () => {
    const { page } = await open(`?batchId=${batchId}`);
    await showing(page, `&batchId=${batchId}`);
    const [first, second] = await listed(`&batchId=${batchId}`);
    await page.getByRole('link', { name: first!.to }).focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: `Call to ${second!.to}` }).waitFor();
    await page.close();
  });

  test.each([360, 2_560])('everyone can use it at %i px, in both themes', async (width) => {
    const { page, complaints } = await open(`?batchId=${batchId}`, { width });
    await showing(page, `&batchId=${batchId}`);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('an address that makes no sense shows the list; an account without calls says so', async () => {
    const { page, complaints } = await open('?status=no&type=up&from=x&page=-1&perPage=9e9');
    await page.getByRole('link', { name: '+14155551001' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
    const { token } = await anAccount('Empty');
    const empty = await open('', { token });
    await empty.page.getByText('No call has been made or taken yet.').waitFor();
    await expectAccessible(empty.page);
    await empty.page.close();
  });
});
