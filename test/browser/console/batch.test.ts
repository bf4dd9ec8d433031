import { sql } from 'kysely';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { signToken } from '../../../platform/token.js';
import { aBatch, aRoute } from '../../api/batch-calls/support.js';
import { aBatchOf, aDelivery } from '../../api/batch-calls/support-records.js';
import { anAccount, api, here, useApi } from '../../api/support.js';
import { soon } from '../../setup/soon.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

interface Batch {
  readonly batchId: string;
  readonly status: string;
  readonly paused: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly waiting: { readonly total: number; readonly reasons: readonly { reason: string; count: number }[] };
  readonly waitingFor: string;
  readonly retriedFrom?: string;
}
interface Element {
  getAttribute(name: string): string | null;
}

describe.skipIf(noBrowser !== undefined)(`the page of a batch call, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  let running: string;
  let over: string;

  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
    const route = await aRoute();
    const counts = { pending: 9_120, retrying: 40, dialing: 2, 'in-progress': 3, answered: 700, missed: 20 };
    ({ batchId: running } = await aBatch({ name: 'April', counts, route }));
    await sql`update batch_counters set human = 500, machine = 150 where batch_id = ${running}`.execute(
      here().database.db,
    );
    const phoneNumber = '+14155550123';
    const missed = { phoneNumber, status: 'missed', reason: 'no_response' } as const;
    const failed = { phoneNumber, status: 'failed', reason: 'invalid_number' } as const;
    const records = [missed, missed, missed, missed, failed, failed, failed];
    ({ batchId: over } = await aBatchOf(records, { name: 'March', route }));
    // Figures are noted as calls end: these end once more, as if it were the first time.
    await here().database.pool.query(`
      update batch_counters set attempts = 7 where batch_id = '${over}';
      alter table calls disable trigger figures_are_noted;
      update calls set status = 'pending', attempts_made = 0 where batch_id = '${over}';
      alter table calls enable trigger figures_are_noted;
      update calls set status = case reason when 'no_response' then 'missed' else 'failed' end, attempts_made = 1,
        ended_at = now() where batch_id = '${over}'`);
  });

  const batchOf = async (batchId: string) => (await api.get(`/v1/batch-calls/${batchId}`)).body as Batch;
  const shown = async (page: Page, name: string) =>
    Object.fromEntries(
      await page
        .locator(`[data-${name}]`)
        .evaluateAll(
          (all, attribute) =>
            (all as unknown as Element[]).map((each) => [
              each.getAttribute(attribute),
              each.getAttribute('data-count'),
            ]),
          `data-${name}`,
        ),
    ) as Record<string, string>;
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  test('its counters are those of the API and add up, with who answered; what waits adds up, too', async () => {
    const { page, complaints } = await openConsole(browser, served, `/batches/${running}`);
    await page.getByRole('heading', { level: 1, name: 'April' }).waitFor();
    const { counts } = await batchOf(running);
    const { human, machine, ...statuses } = counts;
    const asTexts = (figures: Record<string, number>) =>
      Object.fromEntries(Object.entries(figures).map(([name, count]) => [name, String(count)]));
    expect(await shown(page, 'call-status')).toEqual(asTexts(statuses));
    expect(await shown(page, 'answered')).toEqual({
      'by a person': String(human),
      'by a machine': String(machine),
      unknown: String(counts.answered! - human! - machine!),
    });
    const total = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    const table = page.getByRole('region', { name: 'Calls by status' });
    expect(await table.locator('tfoot').innerText()).toContain(total.toLocaleString('en-US'));
    // Reasons change as instants come: the page has what the API says, soon.
    await vi.waitFor(async () => {
      const { waiting, waitingFor } = await batchOf(running);
      const reasons = waiting.reasons.map(({ reason, count }) => [reason, String(count)]);
      expect(await shown(page, 'reason')).toEqual(Object.fromEntries(reasons));
      expect(await page.getByText(waitingFor).isVisible()).toBe(true);
    }, soon);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('what came of its calls is split as the address says, line by line as the API has it', async () => {
    const { page } = await openConsole(browser, served, `/batches/${over}`);
    await page.getByLabel('Split by').selectOption('reason');
    await page.getByRole('region', { name: 'Figures by Reason' }).waitFor();
    await page.waitForURL(/by=reason/);
    const { rows } = (await api.get(`/v1/batch-calls/${over}/stats?by=reason`)).body as {
      rows: { key: string | null; calls: number; attempts: number; answered: number }[];
    };
    expect(rows.map(({ key, calls }) => [key, calls])).toEqual(
      expect.arrayContaining([
        ['no_response', 4],
        ['invalid_number', 3],
      ]),
    );
    for (const { key, calls, attempts, answered } of rows) {
      const cells = await page.locator(`[data-key="${key ?? ''}"] td`).allInnerTexts();
      expect([cells[0], cells[1], cells[5]]).toEqual([attempts, answered, calls].map(String));
    }
    await page.close();
  });

  test.each([
    [360, ''],
    [2_560, ''],
    [360, '?view=settings'],
  ])('everyone can use it at %i px, in both themes (%s)', async (width, query) => {
    const { page, complaints } = await openConsole(browser, served, `/batches/${running}${query}`, { width });
    await page.getByRole('heading', { level: 2 }).nth(1).or(page.getByLabel('Name')).first().waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('what recipients wait for, and until when, is seen as a whole at 360 px', async () => {
    const records = [{ phoneNumber: '+14155550177', status: 'pending' as const }];
    const { batchId } = await aBatchOf(records, { name: 'Later', status: 'scheduled' });
    const { page } = await openConsole(browser, served, `/batches/${batchId}`, { width: 360 });
    const table = page.getByRole('region', { name: 'What recipients wait for' });
    await table.locator('tbody time').first().waitFor();
    const widths = await table.evaluate(
      ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) => ({
        ...{ scrollWidth, clientWidth },
      }),
    );
    expect(widths.scrollWidth).toBe(widths.clientWidth);
    await page.close();
  });

  test('everyone can use its lists, in both themes', async () => {
    await aDelivery(running);
    await api.patch(`/v1/batch-calls/${running}`, { description: 'Second round' });
    const { page } = await openConsole(browser, served, `/batches/${running}`, { width: 360 });
    for (const name of ['Webhooks', 'Changes']) {
      await page.getByRole('navigation', { name: 'Parts of this batch call' }).getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 2, name: name === 'Changes' ? 'Change log' : /Webhook/ }).waitFor();
      await page.getByRole('row').nth(1).waitFor();
      await expectAccessible(page);
    }
    await page.close();
  });

  test('settings change while it runs; what the API refuses stands at each field, and nothing is changed', async () => {
    const { page } = await openConsole(browser, served, `/batches/${running}?view=settings`);
    await page.getByLabel('Maximum concurrent calls').fill('0');
    await page.getByLabel('Calls start at certain hours only').check();
    await page.getByLabel('Until').fill('9');
    await press(page, 'Add a retry');
    await page.getByLabel('Tries again after').fill('0');
    await press(page, 'Save');
    await page.getByText('Nothing was changed').waitFor();
    for (const name of ['Maximum concurrent calls', 'Until', 'Tries again after']) {
      expect({ name, invalid: await page.getByLabel(name).getAttribute('aria-invalid') }).toEqual({
        name,
        invalid: 'true',
      });
    }
    await expectAccessible(page);
    expect(await batchOf(running)).not.toHaveProperty('callingWindow');

    await page.getByLabel('Stop early').selectOption('answered');
    await page.getByLabel('How many').fill('5000');
    await page.getByLabel('Share of the gateway').selectOption('2');
    await page.getByLabel('Maximum concurrent calls').fill('12');
    await page.getByLabel('Until').fill('24:00');
    await page.getByLabel('Sunday').uncheck();
    await page.getByLabel('Tries again after').fill('90');
    await page.getByLabel('Unit').selectOption('minutes');
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    expect(await batchOf(running)).toMatchObject({
      maxConcurrentCalls: 12,
      stopAfter: { answered: 5_000 },
      priority: 2,
      callingWindow: { from: '09:00', until: '24:00', daysOfWeek: [1, 2, 3, 4, 5, 6], timezone: 'recipient' },
      retry: { retryOn: ['not-answered', 'rejected', 'missed'], retryDelays: [5_400] },
    });
    await press(page, 'Add another window');
    await page.getByRole('group', { name: 'Window 2' }).getByLabel('From').fill('25:00');
    await press(page, 'Save');
    await page.getByRole('group', { name: 'Window 2' }).getByText('must be HH:MM').waitFor();
    await press(page, 'Remove window 1');
    await page.getByLabel('From', { exact: true }).fill('06:00');
    await page.getByLabel('Not on these dates').fill('2027-12-25');
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    expect(await batchOf(running)).toMatchObject({ callingWindow: { from: '06:00', except: ['2027-12-25'] } });
    await page.close();
  });

  test('who is asked before each call changes while it runs, each problem at its field', async () => {
    const { page } = await openConsole(browser, served, `/batches/${running}?view=settings`);
    await page.getByLabel('Pre-dial check').fill('http://localhost/ask');
    await page.getByLabel('Time limit, in milliseconds').fill('soon');
    await press(page, 'Save');
    await page.getByText('Nothing was changed').waitFor();
    for (const name of ['Pre-dial check', 'Time limit']) {
      await page.getByLabel(name).and(page.locator('[aria-invalid="true"]')).waitFor();
    }
    await expectAccessible(page);
    await page.getByLabel('Pre-dial check').fill('https://example.com/ask');
    await page.getByLabel('Time limit').fill('1500');
    await page.getByLabel('Without a usable answer').selectOption('skip');
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    const preDial = { url: 'https://example.com/ask', timeoutMs: 1_500, onError: 'skip' };
    expect(await batchOf(running)).toMatchObject({ preDial });
    await page.getByLabel('Pre-dial check').fill('');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await press(page, 'Save');
    expect((await sent).postDataJSON()).toEqual({ preDial: null });
    await expect.poll(() => batchOf(running)).not.toHaveProperty('preDial');
    await page.close();
  });

  test('what it may cost is set at its field; prices that it then needs cannot be taken away', async () => {
    const prices = { currency: 'USD', calls: [{ perMinute: 0.5, incrementSeconds: 60 }] };
    expect((await api.put('/v1/account/prices', prices)).status).toBe(200);
    const { batchId } = await aBatch({ name: 'With an end', counts: { pending: 1 } });
    const { page } = await openConsole(browser, served, `/batches/${batchId}?view=settings`);
    await page.getByLabel('Cost limit').fill('much');
    await press(page, 'Save');
    await page.getByLabel('Cost limit').and(page.locator('[aria-invalid="true"]')).waitFor();
    await page.getByLabel('Cost limit').fill('12.5');
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    expect(await batchOf(batchId)).toMatchObject({ maxCost: 12.5 });
    await page.goto(`${served.url}/console/prices`);
    await press(page, 'Remove price 1');
    await press(page, 'Save');
    await page.getByRole('alert').getByText(`${batchId} has a maxCost, and no price would be left`).waitFor();
    await expectAccessible(page);
    expect((await api.get('/v1/account/prices')).body).toMatchObject({ calls: [{ perMinute: 0.5 }] });
    await page.goto(`${served.url}/console/batches/${batchId}?view=settings`);
    await page.getByLabel('Cost limit').fill('');
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    expect(await batchOf(batchId)).not.toHaveProperty('maxCost');
  });

  test('pasted recipients are added, and those that cannot be called are named with the reason', async () => {
    const { page } = await openConsole(browser, served, `/batches/${running}`);
    const before = (await batchOf(running)).counts.pending!;
    await press(page, 'Add recipients');
    await page.getByLabel('Numbers').fill('phone_number\tname\n+14155550199\tAnna\n12\tBob');
    await page.getByText('2 recipients, with name').waitFor();
    await press(page, 'Add 2 recipients');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 recipient was added, 1 was not.').waitFor();
    expect(await dialog.getByRole('cell').allInnerTexts()).toEqual(['2', '12', expect.stringContaining('12')]);
    expect((await batchOf(running)).counts.pending).toBe(before + 1);
    await page.close();
  });

  test('it is paused, resumed and cancelled, each after a sentence of what will happen', async () => {
    await aRoute(); // An agent is there.
    const { page } = await openConsole(browser, served, `/batches/${running}`);
    await press(page, 'Pause');
    await page.getByText('5 live calls go on to the end.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    expect(await batchOf(running)).toMatchObject({ paused: true });
    await press(page, 'Resume');
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    expect(await batchOf(running)).toMatchObject({ paused: false });

    await press(page, 'Cancel');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/9,161 waiting recipients are not called\./).waitFor();
    await dialog.getByText('5 live calls go on.').waitFor();
    await dialog.getByLabel('are hung up now').check();
    await dialog.getByText('5 live calls are hung up.').waitFor();
    const cancel = dialog.getByRole('button', { name: 'Cancel this batch call' });
    expect(await cancel.isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByLabel('Type cancel to confirm').fill('cancel');
    await cancel.click();
    await page.getByText('cancelling', { exact: true }).waitFor();
    expect(await batchOf(running)).toMatchObject({ status: 'cancelling' });
    const { rows } = await sql<{ mode: string }>`select cancel_mode as mode from batches where id = ${running}`.execute(
      here().database.db,
    );
    expect(rows).toEqual([{ mode: 'immediate' }]);
    await page.getByRole('link', { name: 'Changes' }).click();
    await page.getByRole('cell', { name: 'cancel', exact: true }).waitFor();
    expect(await page.getByRole('cell').allInnerTexts()).toEqual(expect.arrayContaining(['mode: immediate', 'pause']));
    await page.close();
  });

  test('of a finished one, a preview says how many are called again; its records are saved and webhooks sent again', async () => {
    const deliveryId = await aDelivery(over, { status: 'failed' });
    const { page } = await openConsole(browser, served, `/batches/${over}?view=webhooks`);
    const saved = page.waitForEvent('download');
    await press(page, 'Export');
    expect((await saved).suggestedFilename()).toBe('March-records.csv');

    await page.getByRole('button', { name: `Redeliver: batchcall-completed ${deliveryId}` }).click();
    await press(page, 'Send it again');
    await page.getByRole('cell', { name: 'pending' }).waitFor();

    await press(page, 'Call again');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/4 numbers are called at most, without 3 that do not exist/).waitFor();
    await dialog.getByRole('button', { name: 'Call 4 numbers again' }).click();
    await page.getByRole('heading', { level: 1, name: 'March (retry)' }).waitFor();
    const made = await batchOf(page.url().split('/').at(-1)!);
    expect(made).toMatchObject({ retriedFrom: over });
    await page.close();
  });

  test('one that is over is deleted once its word is typed, and the page leads back to the list', async () => {
    const { batchId } = await aBatch({ name: 'Old', status: 'completed', counts: { answered: 1 } });
    const { page } = await openConsole(browser, served, `/batches/${batchId}`);
    await press(page, 'Delete');
    await page.getByLabel('Type delete to confirm').fill('delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Batch calls' }).waitFor();
    expect((await api.get(`/v1/batch-calls/${batchId}`)).status).toBe(404);
    await page.close();
  });

  test('a token that may only read is offered the export, and nothing that changes anything', async () => {
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    // Of each event a batch call has one.
    await aDelivery(over, { status: 'failed', event: 'batchcall-started' });
    const { page } = await openConsole(browser, served, `/batches/${over}?view=webhooks`, { token });
    await page.getByRole('cell', { name: 'batchcall-started' }).first().waitFor();
    const buttons = await page.getByRole('main').getByRole('button').allInnerTexts();
    expect(buttons).toEqual(['Export', 'As curl']);
    await page.close();
  });

  test('somebody else’s batch call is not found, in the words of the API', async () => {
    const { account } = await anAccount('Theirs');
    const { batchId } = await aBatch({ accountId: account.id, name: 'Secret' });
    const { page } = await openConsole(browser, served, `/batches/${batchId}`);
    await vi.waitFor(
      async () => expect(await page.getByRole('alert').innerText()).toContain('Batch call not found'),
      soon,
    );
    expect(await page.content()).not.toContain('Secret');
    await page.close();
  });
});
