import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { aBatch } from '../../api/batch-calls/support.js';
import { aGateway, rowsOf } from '../../api/support-resources.js';
import { api, useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

/** What a test presses, and the file and the beginning of the title of the test that does. */
type Tested = readonly [pressed: string, file: string, title: string];

const own = 'destructive.test.ts';
const telephony = 'telephony.test.ts';

/** Everything in the console that deletes, ends or stops something, or takes it away, by what is asked of the API. */
const destructive: Readonly<Record<string, readonly Tested[]>> = {
  'DELETE /v1/account/keys/{keyId}': [['Delete this key', 'account.test.ts', 'a key is made']],
  'DELETE /v1/agents/{agentId}': [['Delete this agent', 'agents.test.ts', 'an agent that nothing uses is deleted']],
  'DELETE /v1/batch-calls/{batchId}': [['Delete', 'batch.test.ts', 'one that is over is deleted']],
  'DELETE /v1/campaigns/{campaignId}': [['Delete this campaign', 'campaigns.test.ts', 'recipients are added']],
  'DELETE /v1/contacts/{e164}': [['Erase for good', 'people.test.ts', 'it is erased once it is typed']],
  'DELETE /v1/do-not-call/{e164}': [
    ['Remove from the list', 'do-not-call.test.ts', 'a number is taken off the list once it is typed'],
    ['Remove from the list', 'people.test.ts', 'it is put on the do-not-call list'],
  ],
  'DELETE /v1/knowledge-bases/{knowledgeBaseId}': [
    ['Delete this knowledge base', 'knowledge.test.ts', 'a file becomes a knowledge base'],
  ],
  'DELETE /v1/tools/{toolId}': [['Delete this tool', 'knowledge.test.ts', 'a tool is made']],
  'DELETE /v2/sip/inbound-gateways/{inboundGatewayId}': [['Delete this gateway', own, 'an inbound gateway is deleted']],
  'DELETE /v2/sip/outbound-gateways/{outboundGatewayId}': [['Delete this gateway', telephony, 'a gateway is made']],
  'DELETE /v2/sip/routing-rule/{ruleId}': [['Delete this rule', telephony, 'a rule is made']],
  'DELETE /v2/sip/webhooks/{webhookId}': [['Delete this webhook', 'account.test.ts', 'a webhook is made']],
  'POST /v1/account/stop-dialing': [
    ['Stop all dialing', 'overview.test.ts', 'the red button says what it will do'],
    ['Hang up live calls, too', own, 'all dialing is stopped with the live calls'],
  ],
  'POST /v1/account/tokens/revoke': [['Revoke this token', 'account.test.ts', 'one token is revoked']],
  'POST /v1/account/webhook-secret/rotate': [['Rotate the secret', 'account.test.ts', 'a webhook is made']],
  'POST /v1/agents/{agentId}/undeploy': [['Undeploy this agent', 'agents.test.ts', 'versions are compared']],
  'POST /v1/batch-calls/{batchId}/cancel': [
    ['Cancel this batch call', 'batch.test.ts', 'it is paused, resumed and cancelled'],
    ['Hang up live calls', own, 'a batch call is cancelled'],
  ],
  'POST /v1/batch-calls/{batchId}/close': [['Close this batch call', own, 'a batch call that is open is closed']],
  'POST /v1/batch-calls/{batchId}/pause': [['Pause', 'batch.test.ts', 'it is paused, resumed and cancelled']],
  'POST /v1/batch-calls/{batchId}/records/{recordId}/skip': [
    ['Skip this recipient', 'records.test.ts', 'a recipient is skipped'],
  ],
  'POST /v1/campaigns/{campaignId}/pause': [['Pause', 'campaigns.test.ts', 'recipients are added']],
  'POST /v2/sip/call/transfer': [['Transfer it', 'transfer.test.ts', 'an answered call is handed over']],
  'POST /v2/sip/phone-numbers/detach': [['Detach this number', telephony, 'numbers are registered']],
  'POST /v2/sip/phone-numbers/{phoneNumberId}/release': [['Release this number', telephony, 'numbers are registered']],
};

/** What is asked of the API by POST and takes nothing away: it makes something, goes on with it, or asks. */
const gentle = new Set([
  ...['/v1/account/keys', '/v1/account/resume-dialing', '/v1/agents', '/v1/agents/{agentId}/deploy'],
  ...['/v1/batch-calls', '/v1/batch-calls/validate', '/v1/batch-calls/{batchId}/recipients'],
  ...['/v1/batch-calls/{batchId}/resume', '/v1/batch-calls/{batchId}/retry'],
  ...['call-again', 'callback'].map((what) => `/v1/batch-calls/{batchId}/records/{recordId}/${what}`),
  '/v1/batch-calls/{batchId}/webhook-deliveries/{deliveryId}/redeliver',
  ...['/v1/calls/{callId}/listen', '/v1/calls/{callId}/whisper'],
  ...['/v1/campaigns', ...['recipients', 'resume', 'run'].map((what) => `/v1/campaigns/{campaignId}/${what}`)],
  ...['/v1/do-not-call', '/v1/knowledge-bases', '/v1/knowledge-bases/{knowledgeBaseId}/query', '/v1/tools'],
  ...['/v2/sip/call', '/v2/sip/inbound-gateways', '/v2/sip/outbound-gateways', '/v2/sip/phone-numbers'],
  ...['/v2/sip/phone-numbers/gateways/{gatewayId}/check', '/v2/sip/routing-rule', '/v2/sip/webhooks'],
]);

/** The source of one test, from its title to the next test. */
function testOf(file: string, title: string): string {
  const source = readFileSync(join('test/browser/console', file), 'utf8');
  const [, after] = source.split(`test('${title}`);
  return after?.split(/\n\s*test\('/)[0] ?? '';
}

test('every destructive action of the console has a test in a browser that takes it', () => {
  const sources = readdirSync('console', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join('console', name), 'utf8'));
  const asked = sources.flatMap((source) =>
    [...source.matchAll(/client\s*\.(DELETE|POST)\(\s*'([^']+)'/g)].map(([, method = '', path = '']) => ({
      method,
      path,
    })),
  );
  const found = asked.filter(({ method, path }) => method === 'DELETE' || !gentle.has(path));
  const names = new Set(found.map(({ method, path }) => `${method} ${path}`));
  expect([...names].toSorted()).toEqual(Object.keys(destructive).toSorted());
  const missing = Object.values(destructive)
    .flat()
    .filter(([pressed, file, title]) => !testOf(file, title).includes(`'${pressed}'`));
  expect(missing).toEqual([]);
});

describe.skipIf(noBrowser !== undefined)(`what takes something away, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
  });

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
  /** Types the word without which the button does nothing, and presses it. */
  const confirm = async (page: Page, word: string, action: string) => {
    expect(await inDialog(page, action).isDisabled()).toBe(true);
    await page.getByLabel(`Type ${word} to confirm`).fill(word);
    await inDialog(page, action).click();
  };
  const batchOf = async (batchId: string) => (await api.get(`/v1/batch-calls/${batchId}`)).body;

  test('a batch call that is open is closed after a sentence of what waits, and takes no more recipients', async () => {
    const { batchId } = await aBatch({ status: 'running', counts: { pending: 2 } });
    await rowsOf('update batches set open = true where id = $1', [batchId]);
    const { page, complaints } = await openConsole(browser, served, `/batches/${batchId}`);
    await press(page, 'Close');
    await page.getByRole('dialog').getByText('2 recipients wait and 0 calls are live.').waitFor();
    expect(await batchOf(batchId)).toMatchObject({ open: true });
    await inDialog(page, 'Close this batch call').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor({ state: 'detached' });
    expect(await batchOf(batchId)).toMatchObject({ open: false, status: 'running' });
    expect(complaints).toEqual([]);
  });

  test('a batch call is cancelled while its live calls go on; then they are hung up once that is typed', async () => {
    const { batchId } = await aBatch({ status: 'running', counts: { pending: 2, 'in-progress': 1 } });
    const modes = () => rowsOf('select cancel_mode as mode from batches where id = $1', [batchId]);
    const { page, complaints } = await openConsole(browser, served, `/batches/${batchId}`);
    await press(page, 'Cancel');
    await page.getByRole('dialog').getByText('1 live call goes on.').waitFor();
    await confirm(page, 'cancel', 'Cancel this batch call');
    await page.getByText('cancelling', { exact: true }).waitFor();
    expect(await modes()).toEqual([{ mode: 'graceful' }]);
    await press(page, 'Hang up live calls');
    await page.getByRole('dialog').getByText('1 live call is hung up.').waitFor();
    await expectAccessible(page);
    await confirm(page, 'hang up', 'Hang up live calls');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await modes()).toEqual([{ mode: 'immediate' }]);
    expect(complaints).toEqual([]);
  });

  test('an inbound gateway is deleted, and the page leads back to those of its kind', async () => {
    const { id } = await aGateway('inbound', { name: 'Desk' });
    const { page, complaints } = await openConsole(browser, served, `/gateways/${id}`);
    await press(page, 'Delete');
    await page.getByRole('dialog').getByText('without a way in').waitFor();
    await confirm(page, 'delete', 'Delete this gateway');
    await page.waitForURL(/type=inbound/);
    expect((await api.get(`/v2/sip/inbound-gateways/${id}`)).status).toBe(404);
    expect(complaints.filter((words) => !words.includes('404'))).toEqual([]);
  });

  test('all dialing is stopped with the live calls, if that is ticked', async () => {
    const { page, complaints } = await openConsole(browser, served, '/');
    await press(page, 'Stop all dialing');
    await page.getByRole('dialog').getByText('0 live calls go on').waitFor();
    await page.getByLabel('Hang up live calls, too').check();
    await page.getByRole('dialog').getByText('0 live calls are hung up').waitFor();
    const sent = page.waitForRequest((request) => request.url().endsWith('/stop-dialing'));
    await confirm(page, 'stop', 'Stop all dialing');
    expect((await sent).postDataJSON()).toEqual({ hangUp: true });
    await page.getByRole('alert').getByText('All dialing is stopped').waitFor();
    expect((await api.get('/v1/account/guardrails')).body).toMatchObject({ dialingStopped: true });
    expect(complaints).toEqual([]);
  });
});
