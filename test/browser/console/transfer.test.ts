import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { aKey } from '../../api/account/support.js';
import { aCallThatIs } from '../../api/calls/support.js';
import { rowsOf } from '../../api/support-resources.js';
import { useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, expectFocusHeld, openConsole } from './support.js';

useApi();

describe.skipIf(noBrowser !== undefined)(`handing a call over, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
  });

  test('an answered call is handed over, warm if nothing else is chosen, and the page says what became of it', async () => {
    const { id, uuid } = await aCallThatIs('answered');
    const { page, complaints } = await openConsole(browser, served, `/calls/${id}`);
    await expectFocusHeld(page, page.getByRole('button', { name: 'Transfer' }));
    await page.getByRole('button', { name: 'Transfer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Transfer this call?' });
    await dialog.getByText('The callee waits on hold.').waitFor();
    await dialog.getByText('the agent leaves').waitFor();
    await dialog.getByLabel('To').fill('soon');
    await dialog.getByRole('button', { name: 'Transfer it' }).click();
    await dialog.getByText('must be an E.164 number').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('To').fill('+91 98770 12345');
    await dialog.getByRole('button', { name: 'Transfer it' }).click();
    await page.getByText(/warm to \+919877012345.*under way/).waitFor();
    await rowsOf(
      "update call_transfers set status = 'failed', ended_at = now(), message = 'Busy Here' where call_id = $1",
      [uuid],
    );
    await page.getByText(/not taken, Busy Here/).waitFor();
    await page.getByRole('button', { name: 'Transfer' }).click();
    await dialog.getByLabel('To').fill('sip:desk@pbx.example.com');
    await dialog.getByRole('radio', { name: 'Cold: at once' }).check();
    await dialog.getByRole('button', { name: 'Transfer it' }).click();
    await page.getByText(/cold to sip:desk@pbx.example.com.*under way/).waitFor();
    expect(await rowsOf('select mode, transfer_to from call_transfers where call_id = $1 order by id', [uuid])).toEqual(
      [
        { mode: 'warm', transfer_to: '+919877012345' },
        { mode: 'cold', transfer_to: 'sip:desk@pbx.example.com' },
      ],
    );
    await expectAccessible(page);
    // The number that was refused.
    expect(complaints).toEqual([expect.stringContaining('400')]);
    await page.close();
  });

  test('a call that came in is handed over warm by the outbound gateway of its number, and cold alone if it has no agent', async () => {
    const { id, uuid, from } = await aCallThatIs('answered');
    await rowsOf(`update calls set type = 'inbound', from_number = to_number, to_number = from_number where id = $1`, [
      uuid,
    ]);
    const { page, complaints } = await openConsole(browser, served, `/calls/${id}`);
    const dialog = page.getByRole('dialog', { name: 'Transfer this call?' });
    await page.getByRole('button', { name: 'Transfer' }).click();
    await dialog
      .getByText(`The caller waits on hold. The number is called over the outbound gateway of ${from}`)
      .waitFor();
    await dialog.getByLabel('To').fill('+91 98770 12345');
    await rowsOf(`delete from number_gateways where e164 = $1 and direction = 'outbound'`, [from]);
    await dialog.getByRole('button', { name: 'Transfer it' }).click();
    await dialog.getByText(`No outbound gateway is attached to ${from}`).waitFor();
    await expectAccessible(page);
    await rowsOf(
      `insert into number_gateways (number_id, account_id, e164, direction, gateway_id)
      select n.id, n.account_id, n.e164, 'outbound', c.gateway_id from phone_numbers n, calls c
      where n.e164 = $1 and c.id = $2`,
      [from, uuid],
    );
    await dialog.getByRole('button', { name: 'Transfer it' }).click();
    await page.getByText(/warm to \+919877012345.*under way/).waitFor();
    await rowsOf('update calls set agent_id = null where id = $1', [uuid]);
    await page.reload();
    await page.getByRole('button', { name: 'Transfer' }).click();
    await dialog.getByText('The carrier connects the caller').waitFor();
    expect(await dialog.getByRole('radio').count()).toBe(1);
    // The number that had no gateway.
    expect(complaints).toEqual([expect.stringContaining('409')]);
    await page.close();
  });

  test('a token that may only read is offered no transfer, and nor is a call that is over', async () => {
    const { token } = await aKey({ permissions: ['read'] });
    const { id } = await aCallThatIs('answered');
    for (const [callId, options] of [
      [id, { token }],
      [(await aCallThatIs('ended')).id, {}],
    ] as const) {
      const { page } = await openConsole(browser, served, `/calls/${callId}`, options);
      await page.getByRole('region', { name: 'Details' }).waitFor();
      expect(await page.getByRole('button', { name: 'Transfer' }).count()).toBe(0);
      await page.close();
    }
  });
});
