import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { aLiveAgent } from '../../api/agents/support.js';
import { aBatchOf, aDelivery } from '../../api/batch-calls/support-records.js';
import { aBatch } from '../../api/batch-calls/support.js';
import { aCampaign } from '../../api/campaigns/support.js';
import { aKnowledgeBase } from '../../api/knowledge-bases/support.js';
import { rowsOf } from '../../api/support-resources.js';
import { api, useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectFocusHeld, openConsole } from './support.js';

useApi();

/** The files that have dialogs, each with the buttons that open them; null: where one is opened that needs more before it. */
const openers: Readonly<Record<string, readonly (string | RegExp)[] | null>> = {
  'overview/stop-dialing.tsx': ['Stop all dialing'],
  'app/dialing-stopped.tsx': ['Resume all dialing'],
  'ui/curl.tsx': ['As curl'],
  'batch/steering.tsx': ['Pause', 'Close', 'Resume', 'Delete'],
  'batch/cancel.tsx': ['Cancel'],
  'batch/retry.tsx': ['Call again'],
  'batch/add-recipients.tsx': ['Add recipients'],
  'batch/deliveries.tsx': [/^Redeliver/],
  'records/details.tsx': ['+14155550201'],
  'records/actions.tsx': [/^Skip: /, /^Call again: /],
  'records/change.tsx': [/^Change: /],
  'records/call-back.tsx': [/^Call at …: /],
  'records/column-choice.tsx': ['Columns of the file'],
  'campaign/steering.tsx': ['Run now', 'Pause', 'Delete'],
  'agents/actions.tsx': [/^Deploy/, 'Undeploy', 'Delete'],
  'rules/rule.tsx': ['Delete'],
  'tools/tool.tsx': ['Delete'],
  'knowledge/base.tsx': ['Delete'],
  'gateways/gateway.tsx': ['Delete'],
  'numbers/number.tsx': ['Detach', 'Release'],
  'people/erase.tsx': ['Erase'],
  'do-not-call/entry.tsx': ['Add to the list'],
  'do-not-call/add.tsx': ['Add numbers'],
  'do-not-call/remove.tsx': [/^Remove from the list/],
  'webhooks/page.tsx': [/^Delete: /, /^Change: /],
  'webhooks/secret.tsx': ['Rotate the secret'],
  'keys/revoke.tsx': ['Revoke a token'],
  'keys/page.tsx': [/^Delete: /],
  'keys/new-key.tsx': ['New key'],
  // In the tests of the first steps, of a new batch call and of handing a call over, at the end of what leads there.
  'first-run/call-step.tsx': null,
  'new-batch/test-call.tsx': null,
  'call/transfer.tsx': null,
  'app/leaving.tsx': null,
};

test('every dialog of the console is tested for what it does with the focus', () => {
  const files = readdirSync('console', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));
  const found = files.flatMap((name) => {
    const count = readFileSync(join('console', name), 'utf8').match(
      /<(?:Ask|Confirm|Dialog|Popover)(?=[\s>])/g,
    )?.length;
    // The three that all of them are made of.
    return count === undefined || /^ui\/(?:ask|confirm)\.tsx$/.test(name) ? [] : [[name, count] as const];
  });
  const tested = Object.entries(openers).map(([name, buttons]) => [name, buttons?.length ?? 1] as const);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(tested));
  const own = files.filter((name) =>
    /<(?:Modal|Drawer|Menu|HoverCard)\b/.test(readFileSync(join('console', name), 'utf8')),
  );
  // The question for another token is not closed unanswered: a test of what was typed opens it.
  expect(own.toSorted()).toEqual(['session/sign-in-again.tsx', 'ui/dialog.tsx']);
});

describe.skipIf(noBrowser !== undefined)(`dialogs, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
  });

  /** Makes what the pages are about. @returns each page with the files whose dialogs it has */
  async function pages(): Promise<readonly (readonly [path: string, ...buttons: (string | RegExp)[]])[]> {
    const of = (name: string) => openers[name] ?? [];
    const [first = '', second = '', third = '', fourth = ''] = of('batch/steering.tsx');
    const records = [
      { phoneNumber: '+14155550201', status: 'missed', metadata: { city: 'Oslo' } },
      { phoneNumber: '+14155550202', status: 'pending', metadata: { city: 'Oslo' } },
    ] as const;
    const { batchId: running, route } = await aBatchOf(records, {
      status: 'running',
      columns: ['phone_number', 'city'],
    });
    await rowsOf('update batches set open = true where id = $1', [running]);
    await aDelivery(running);
    const { batchId: paused } = await aBatch({ status: 'running', counts: { pending: 1 }, route });
    expect((await api.post(`/v1/batch-calls/${paused}/pause`, {})).status).toBe(200);
    const { batchId: over } = await aBatch({ status: 'completed', counts: { missed: 1 }, route });
    const campaignId = await aCampaign();
    const { agentId } = await aLiveAgent();
    const { knowledgeBaseId } = await aKnowledgeBase();
    const tool = { name: 'look_up', description: 'Looks it up.', url: 'https://example.com/look-up' };
    const { toolId } = (await api.post('/v1/tools', tool)).body as { toolId: string };
    await api.post('/v2/sip/webhooks', { url: 'https://example.com/calls', events: ['call-hangup'] });
    await api.post('/v1/account/keys', { name: 'Second', permissions: ['read'] });
    await api.post('/v1/do-not-call', { phoneNumbers: ['+14155550209'] });
    return [
      ['/', ...of('overview/stop-dialing.tsx')],
      [
        `/batches/${running}`,
        ...of('ui/curl.tsx'),
        first,
        second,
        ...of('batch/cancel.tsx'),
        ...of('batch/add-recipients.tsx'),
      ],
      [`/batches/${running}?view=webhooks`, ...of('batch/deliveries.tsx')],
      [`/batches/${paused}`, third],
      [`/batches/${over}`, fourth, ...of('batch/retry.tsx')],
      [
        `/batches/${running}/records`,
        ...['details', 'actions', 'change', 'call-back', 'column-choice'].flatMap((name) => of(`records/${name}.tsx`)),
      ],
      [`/campaigns/${campaignId}`, ...of('campaign/steering.tsx')],
      [`/agents/${agentId}`, ...of('agents/actions.tsx')],
      [`/rules/${route.ruleId}`, ...of('rules/rule.tsx')],
      [`/tools/${toolId}`, ...of('tools/tool.tsx')],
      [`/knowledge/${knowledgeBaseId}`, ...of('knowledge/base.tsx')],
      [`/gateways/${route.gatewayId}`, ...of('gateways/gateway.tsx')],
      [`/numbers/${encodeURIComponent(route.phoneNumber)}`, ...of('numbers/number.tsx')],
      [
        `/people?number=${encodeURIComponent('+14155550201')}`,
        ...of('people/erase.tsx'),
        ...of('do-not-call/entry.tsx'),
      ],
      ['/do-not-call', ...of('do-not-call/add.tsx'), ...of('do-not-call/remove.tsx')],
      ['/webhooks', ...of('webhooks/page.tsx'), ...of('webhooks/secret.tsx')],
      ['/keys', ...of('keys/revoke.tsx'), ...of('keys/page.tsx'), ...of('keys/new-key.tsx')],
    ];
  }

  const opener = (page: Page, name: string | RegExp): Locator =>
    page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }).first();

  test('each takes the focus, keeps Tab inside, closes by Escape and gives the focus back to what opened it', async () => {
    const all = await pages();
    const opened = new Set(all.flatMap(([, ...buttons]) => buttons));
    const wanted = Object.entries(openers).filter(([name]) => name !== 'app/dialing-stopped.tsx');
    expect(wanted.flatMap(([, buttons]) => buttons ?? []).filter((button) => !opened.has(button))).toEqual([]);
    const { page } = await openConsole(browser, served, '/');
    for (const [path, ...buttons] of all) {
      await page.goto(`${served.url}/console${path}`);
      for (const button of buttons) {
        await expectFocusHeld(page, opener(page, button)).catch((error: unknown) => {
          throw new Error(`${path}, ${button}`, { cause: error });
        });
      }
    }
    // It stands on every page, and what stops all dialing would be in the way of the others.
    expect((await api.post('/v1/account/stop-dialing', {})).status).toBe(200);
    await page.goto(`${served.url}/console/usage`);
    for (const button of openers['app/dialing-stopped.tsx'] ?? []) await expectFocusHeld(page, opener(page, button));
  });

  test('the question before something typed is left gives the focus back to the link', async () => {
    const { page } = await openConsole(browser, served, '/tools/new');
    await page.getByLabel('Name of the function').fill('look_up');
    await expectFocusHeld(page, page.getByRole('link', { name: 'Usage', exact: true }));
  });
});
