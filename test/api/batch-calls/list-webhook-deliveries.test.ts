import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { formatId } from '../../../domain/ids.js';
import { rowsOf } from '../support-resources.js';
import { api, here } from '../support.js';
import { aBatchOf, aDelivery } from './support-records.js';

describe('200', () => {
  const list = async (batchId: string, query = '') => {
    const { status, body } = await api.get(`/v1/batch-calls/${batchId}/webhook-deliveries${query}`);
    expect(status).toBe(200);
    return body as { pageInfo: object; data: { deliveryId: string; callId?: string }[] };
  };

  // shows: batches.deliveries
  test('every delivery is there with every attempt, newest first', async () => {
    const { batchId } = await aBatchOf([{ phoneNumber: '+919877000001' }]);
    const first = await aDelivery(batchId, { event: 'batchcall-started' });
    const second = await aDelivery(batchId, { status: 'pending' });

    const { pageInfo, data } = await list(batchId);

    expect(pageInfo).toEqual({ currentPage: 1, perPage: 20, lastPage: 1, total: 2 });
    expect(data.map(({ deliveryId }) => deliveryId)).toEqual([second, first]);
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
    expect(data[1]).toEqual({
      deliveryId: first,
      event: 'batchcall-started',
      endpoint: 'https://example.com/hook',
      status: 'delivered',
      attempts: [
        { number: 1, at, milliseconds: 15_003, error: 'The operation timed out' },
        { number: 2, at, milliseconds: 84, statusCode: 204 },
      ],
      createdAt: at,
      deliveredAt: at,
    });
    expect((await list(batchId, '?page=2&perPage=1')).data.map(({ deliveryId }) => deliveryId)).toEqual([first]);
    expect((await list(batchId, '?page=3&perPage=1')).data).toEqual([]);
  });

  test("what is told of the batch's calls is there too, and nothing of another batch", async () => {
    const { batchId, callIds } = await aBatchOf([{ phoneNumber: '+919877000002' }]);
    const other = await aBatchOf([{ phoneNumber: '+919877000003' }]);
    await aDelivery(other.batchId);
    const summary = formatId('webhookDelivery', uuidv7());
    await rowsOf(
      `insert into webhook_deliveries (id, account_id, call_id, event, endpoint, payload)
     values ($1, $2, $3, 'call-summary', 'https://example.com/summary', '{}')`,
      [summary, here().me.account.id, callIds[0]],
    );

    const { data } = await list(batchId);

    expect(data).toEqual([
      expect.objectContaining({ deliveryId: summary, callId: formatId('call', callIds[0]!), attempts: [] }),
    ]);
  });

  test('the deliveries of the batch and of its calls are one list, page by page and by cursor, in the order of their instants', async () => {
    const { batchId, callIds } = await aBatchOf(
      Array.from({ length: 12 }, (_, i) => ({ phoneNumber: `+9198770010${String(i).padStart(2, '0')}` })),
    );
    const ids = [...callIds, 'started', 'completed'].map(
      (_, i) => `whd_${String((i * 5) % 14).padStart(2, '0')}_${batchId}`,
    );
    await rowsOf(
      `insert into webhook_deliveries (id, account_id, batch_id, call_id, event, endpoint, payload, created_at)
     select id, $1, case when call is null then $2 end, call, case when call is null then 'event-' || place else 'call-summary' end,
       'https://example.com/hook', '{}', now() - make_interval(secs => place % 5)
     from unnest($3::text[], $4::uuid[]) with ordinality as z (id, call, place)`,
      [here().me.account.id, batchId, ids, [...callIds, null, null]],
    );
    const place = (id: string) => [(ids.indexOf(id) + 1) % 5, id] as const;
    const newestFirst = ids.toSorted((a, b) => place(a)[0] - place(b)[0] || (place(a)[1] < place(b)[1] ? 1 : -1));

    const pages = [];
    for (let page = 1; page <= 5; page++) pages.push(...(await list(batchId, `?page=${page}&perPage=3`)).data);
    expect(pages.map(({ deliveryId }) => deliveryId)).toEqual(newestFirst);

    const walked = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const { pageInfo, data } = await list(batchId, `?perPage=3&cursor=${cursor}`);
      walked.push(...data);
      expect(pageInfo).toMatchObject({ total: 14 });
      cursor = (pageInfo as { nextCursor?: string }).nextCursor;
    }
    expect(walked.map(({ deliveryId }) => deliveryId)).toEqual(newestFirst);
  });
});
