import { rmSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type User, userBeside } from './command-line/support.js';
import { tablesWith } from './database.js';
import {
  batchIs,
  csv,
  mostOfLongMs,
  numbersWithScript,
  runService,
  type RunningService,
  setUp,
  until,
  webhookReceiver,
} from './running-service.js';

let service: RunningService;
let user: User;
let phoneNumber: string;

beforeAll(async () => {
  service = await runService({ speed: 20 });
  user = userBeside(service);
  ({ phoneNumber } = await setUp(service));
});
afterAll(async () => {
  await service.stop();
  service.removeData();
  rmSync(user.folder, { recursive: true, force: true });
});

/** All that Temporal keeps of the workflows of the service, as text. */
async function histories(): Promise<string> {
  const connection = await Connection.connect({
    address: (service.ready() as { temporalAddress?: string }).temporalAddress!,
  });
  try {
    const client = new Client({ connection });
    const texts: string[] = [];
    for await (const { workflowId, runId } of client.workflow.list()) {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      texts.push(
        JSON.stringify(history, (_, value: unknown) =>
          value instanceof Uint8Array
            ? Buffer.from(value).toString('utf8')
            : typeof value === 'object' &&
                value !== null &&
                'type' in value &&
                value.type === 'Buffer' &&
                'data' in value
              ? Buffer.from(value.data as number[]).toString('utf8')
              : value,
        ),
      );
    }
    return texts.join('\n');
  } finally {
    await connection.close();
  }
}

test(
  'people who are erased while they wait, ring, talk or are over leave no trace, and nothing else is lost or stands still',
  { timeout: mostOfLongMs },
  async () => {
    const webhooks = await webhookReceiver(service);
    const hook = await service.request('POST', '/v2/sip/webhooks', {
      url: webhooks.url,
      events: ['call-started', 'call-answered', 'call-hangup', 'call-missed'],
    });
    expect(hook.status).toBe(201);
    const numbers = [
      ...numbersWithScript(0, 12, 11_000),
      ...numbersWithScript(7, 12, 12_000),
      ...numbersWithScript(1, 12, 13_000),
    ];
    const { status, body } = await service.createBatch(
      { name: 'people.csv', content: csv(numbers) },
      {
        ...{ name: 'Erased', phoneNumber, maxConcurrentCalls: '4' },
        retry: { retryOn: ['rejected', 'not-answered', 'failed'], retryDelays: [2] },
        webhook: { endpoint: webhooks.url, events: ['batchcall-started', 'batchcall-completed'] },
      },
    );
    expect(status).toBe(201);
    await until(async () => (await service.stats()).live > 0);
    // Every third person, spread over the life of the batch: each is erased when so many have been called.
    const invites = (): number => service.ledger().filter(({ event }) => event === 'invite').length;
    const erased: string[] = [];
    for (const [place, number] of numbers.entries()) {
      if (place % 3 !== 0) continue;
      await until(() => invites() >= place / 2);
      const answer = await service.request('DELETE', `/v1/contacts/${encodeURIComponent(number)}`);
      expect(answer.status).toBe(200);
      erased.push(number);
    }
    await batchIs(service, body.batchId, 'completed');
    const audited = await user.outdial(['audit', '--json', '--data', service.folder]);
    expect(JSON.parse(audited.stdout)).toMatchObject({ clean: true });

    // Deliveries that were under way have come to their end.
    await until(async () => {
      const rows = (await service.request('GET', '/v1/account/webhook-deliveries?status=pending')).body.data;
      return rows === undefined || (rows as unknown[]).length === 0;
    });
    const left: Record<string, string[]> = {};
    for (const number of erased) {
      const tables = await tablesWith(service, number.slice(1));
      if (tables.length > 0) left[number] = tables;
    }
    expect(left).toEqual({});
    const kept = await histories();
    expect(kept.length).toBeGreaterThan(1_000);
    expect(/\+?1555\d{7}/.exec(kept)?.[0]).toBeUndefined();
    expect(kept).not.toMatch(/Person \d/);
    const exported = await user.outdial(['batch', 'export', String(body.batchId)]);
    expect(erased.filter((number) => exported.stdout.includes(number))).toEqual([]);
    expect(exported.stdout.trim().split('\n')).toHaveLength(numbers.length + 1);
    webhooks.close();
  },
);
