import { sql } from 'kysely';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { mostSearched } from '../../../db/queries/batches/record-search.js';
import { aBatchOf } from '../../api/batch-calls/support-records.js';
import { here, useApi } from '../../api/support.js';
import { noBrowser, serveApp, sharedBrowser, type ServedApp } from '../browser.js';
import { openConsole } from './support.js';

useApi();

const records = 2 * mostSearched + 500;

describe.skipIf(noBrowser !== undefined)(`a search of many records, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  let batchId: string;

  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
    const { db } = here().database;
    ({ batchId } = await aBatchOf([{ phoneNumber: '+14155550000', metadata: { name: 'First' } }], { name: 'Many' }));
    await sql`
      insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, agent_id, metadata)
      select uuidv7(), c.account_id, c.batch_id, i, '+1415' || (6000000 + i)::text, c.from_number, c.rule_id, c.gateway_id, c.agent_id,
        json_build_object('name', case when i in (5, ${records - 1}::integer) then 'Zoe Only' else 'Person' end)
      from calls c, generate_series(1, ${records - 1}::integer) i where c.batch_id = ${batchId} and c.position = 0`.execute(
      db,
    );
    await sql`update batches set records_uploaded = ${records} where id = ${batchId}`.execute(db);
  });

  const open = (query: string) => openConsole(browser, served, `/batches/${batchId}/records${query}`);
  const searches = () => served.asked.filter(({ url }) => url.includes('/records?') && url.includes('cursor='));

  test('goes on by itself until all records are looked at, and shows all that have the text', async () => {
    const before = searches().length;
    const { page, complaints } = await open('?search=zoe%20only');
    await page.getByText(`+1415${6_000_000 + records - 1}`).waitFor();
    expect(await page.locator('[data-record]').count()).toBe(2);
    expect(await page.getByText('records so far').count()).toBe(0);
    expect(searches().length - before).toBe(3);
    expect(complaints).toEqual([]);
  });

  test('asks no more once its page is full, and the next page is behind it', async () => {
    const before = searches().length;
    const { page } = await open('?search=person');
    await page.getByText('1 to 20 of more than 20').waitFor();
    expect(searches().length - before).toBe(1);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('21 to 40 of more than 40').waitFor();
  });

  test('says that no record has the text only when all have been looked at', async () => {
    const { page } = await open('?search=nobody');
    await page.getByText('No record matches the filter.').waitFor();
    expect(await page.getByText('records so far').count()).toBe(0);
  });
});
