import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { aBatchOf as aBatchFrom, type RecordOptions } from '../../api/batch-calls/support-records.js';
import { aRoute } from '../../api/batch-calls/support.js';
import { aRecordingOf } from '../../api/calls/support.js';
import { anAgent, rowsOf } from '../../api/support-resources.js';
import { anAccount, api, useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

interface Call {
  readonly data: {
    readonly attempts: readonly { readonly sipStatusCode?: number }[];
    readonly timelog: readonly { readonly status: string }[];
  };
}

/** A batch with these records, whose agent exists. */
const aBatchOf = async (records: readonly RecordOptions[], options: { readonly name?: string } = {}) =>
  aBatchFrom(records, { ...options, route: { ...(await aRoute()), agentId: await anAgent() } });

describe.skipIf(noBrowser !== undefined)(`the page of a call, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
  });

  test.each([360, 1_280])('says what was said, how it ended and what it has been, at %i px', async (width) => {
    const metadata = { name: '<b>Anna</b>' };
    const { callIds } = await aBatchOf([{ phoneNumber: '+14155550123', reason: 'callee_hung_up', metadata }]);
    const callId = `call_${callIds[0]!}`;
    const { page, complaints } = await openConsole(browser, served, `/calls/${callId}`, { width });
    await page.getByRole('heading', { level: 1, name: 'Call to +14155550123' }).waitFor();
    const { data } = (await api.get(`/v2/sip/call/${callId}`)).body as Call;
    expect(await page.getByRole('list', { name: 'Transcript' }).innerText()).toContain('Hello');
    await page.getByText('callee hung up').waitFor();
    await page.getByText('<b>Anna</b>').waitFor();
    const table = page.getByRole('region', { name: 'Attempts of this call' });
    expect(await table.locator('tbody tr').count()).toBe(data.attempts.length);
    const timeline = page.getByRole('region', { name: 'Status history' });
    expect(await timeline.locator('dt').count()).toBe(data.timelog.length);
    expect(await page.getByRole('button', { name: 'Listen to the recording' }).count()).toBe(0);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('its recording is fetched with the token when it is asked for; from then on lines of the transcript can be pressed', async () => {
    const { callIds } = await aBatchOf([{ phoneNumber: '+14155550124' }]);
    const uuid = callIds[0]!;
    await aRecordingOf({ uuid }, ['OggS']);
    await rowsOf(
      `update calls set transcript = jsonb_build_array(jsonb_build_object('speaker', 'agent', 'text', 'Good morning', 'at', now()))
       where id = $1`,
      [uuid],
    );
    const { page, complaints } = await openConsole(browser, served, `/calls/call_${uuid}`);
    await page.getByRole('button', { name: 'Listen to the recording' }).click();
    await page.locator('audio[src^="blob:"]').waitFor();
    await page.getByRole('button', { name: 'Good morning' }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    expect(served.asked.some(({ url }) => url.endsWith('/recording'))).toBe(true);
    await page.close();
  });

  test('agent, batch call, gateway and routing rule are shown by their names, and lead to them', async () => {
    const { callIds, batchId, route } = await aBatchOf([{ phoneNumber: '+14155550128' }], { name: 'Spring' });
    const { page, complaints } = await openConsole(browser, served, `/calls/call_${callIds[0]!}`);
    const facts = page.getByRole('region', { name: 'Details' });
    const nameOf = async (path: string) => ((await api.get(path)).body as { name: string }).name;
    const names = await Promise.all(
      [
        `/v1/agents/${route.agentId}`,
        `/v2/sip/outbound-gateways/${route.gatewayId}`,
        `/v2/sip/routing-rule/${route.ruleId}`,
      ].map(nameOf),
    );
    for (const name of [...names, 'Spring']) await facts.getByRole('link', { name, exact: true }).waitFor();
    await facts.getByRole('link', { name: 'Spring', exact: true }).click();
    await page.waitForURL(new RegExp(batchId));
    expect(complaints).toEqual([]);
  });

  test('a column with a long name leaves room for its values, and the page is no wider than its window, at 360 px', async () => {
    const metadata = { ['when_and_where_did_we_last_speak_with_this_customer_'.repeat(4)]: 'x'.repeat(400) };
    const { callIds } = await aBatchOf([{ phoneNumber: '+14155550129', metadata }]);
    const { page } = await openConsole(browser, served, `/calls/call_${callIds[0]!}`, { width: 360 });
    const row = page.getByRole('region', { name: 'Row data' });
    await row.waitFor();
    const [whole, value] = [await row.boundingBox(), await row.locator('dd').boundingBox()];
    expect(value!.width / whole!.width).toBeGreaterThan(0.45);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

  test('a call back and the call that it is about lead to each other', async () => {
    const { callIds } = await aBatchOf([{ phoneNumber: '+14155550126' }, { phoneNumber: '+14155550127' }]);
    const [earlier, later] = [callIds[0]!, callIds[1]!];
    await rowsOf(`update calls set called_back_by = $2 where id = $1`, [earlier, later]);
    await rowsOf(`update calls set callback_of = $1 where id = $2`, [earlier, later]);
    const { page, complaints } = await openConsole(browser, served, `/calls/call_${earlier}`);
    await page.getByRole('link', { name: `call_${later}` }).click();
    await page.getByRole('heading', { level: 1, name: 'Call to +14155550127' }).waitFor();
    await page.getByRole('link', { name: `call_${earlier}` }).click();
    await page.getByRole('heading', { level: 1, name: 'Call to +14155550126' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('somebody else’s call is not found, in the words of the API', async () => {
    const { callIds } = await aBatchOf([{ phoneNumber: '+14155550125' }]);
    const { token } = await anAccount('Other');
    const { page } = await openConsole(browser, served, `/calls/call_${callIds[0]!}`, { token });
    await page.getByRole('alert').getByText('not found').waitFor();
    expect(await page.content()).not.toContain('+14155550125');
    await page.close();
  });
});
