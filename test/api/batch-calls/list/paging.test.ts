import { beforeEach, expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aBatchOf } from '../support-records.js';
import { aBatch } from '../support.js';
import { rowsOf } from '../../support-resources.js';

let token = '';
let accountId = '';
beforeEach(async () => {
  const account = await anAccount();
  ({ token } = account);
  accountId = account.account.id;
});

const old = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** Pages through a list to its end; `between` happens after each page. */
async function pageThrough(
  url: string,
  idOf: (item: Record<string, unknown>) => unknown,
  between: () => Promise<unknown>,
) {
  const seen: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await api.get(`${url}page=${page}&perPage=2`, { token });
    const { data, pageInfo } = body as { data: Record<string, unknown>[]; pageInfo: { lastPage: number } };
    seen.push(...data.map(idOf));
    if (page >= pageInfo.lastPage) return seen;
    await between();
  }
}
const batchIdOf = ({ batchId }: Record<string, unknown>) => batchId;

// shows: batches.stable-lists
test('whoever pages through while batches are created sees all that were there, in order; some perhaps twice', async () => {
  const there: string[] = [];
  for (let minute = 1; minute <= 6; minute += 1)
    there.push((await aBatch({ accountId, createdAt: old(minute) })).batchId);

  const seen = await pageThrough('/v1/batch-calls?', batchIdOf, () => aBatch({ accountId }));

  expect([...new Set(seen)]).toEqual(there);
  expect(seen.length).toBeGreaterThan(there.length);
});

test('with endDate at the beginning of the paging each is seen once', async () => {
  const there: string[] = [];
  for (let minute = 1; minute <= 6; minute += 1)
    there.push((await aBatch({ accountId, createdAt: old(minute) })).batchId);

  const url = `/v1/batch-calls?endDate=${old(0.5).getTime()}&`;
  const seen = await pageThrough(url, batchIdOf, () => aBatch({ accountId }));

  expect(seen).toEqual(there);
});

test('batches of one instant keep one order from page to page', async () => {
  const createdAt = old(5);
  const there = await Promise.all(
    Array.from({ length: 6 }, async () => (await aBatch({ accountId, createdAt })).batchId),
  );
  const seen = await pageThrough('/v1/batch-calls?', batchIdOf, () => Promise.resolve());
  expect(seen).toEqual(there.toSorted().toReversed());
});

// shows: batches.stable-lists
test('records are seen once each, in the order of the file, while their calls go on', async () => {
  const numbers = Array.from({ length: 7 }, (_unused, place) => `+91987780000${place}`);
  const { batchId } = await aBatchOf(
    numbers.map((phoneNumber) => ({ phoneNumber, status: 'pending' })),
    { accountId, status: 'running' },
  );
  let place = 0;

  const seen = await pageThrough(
    `/v1/batch-calls/${batchId}/records?`,
    ({ phoneNumber }) => phoneNumber,
    () =>
      rowsOf(`update calls set status = 'answered', updated_at = now() where batch_id = $1 and position = $2`, [
        batchId,
        (place += 1),
      ]),
  );

  expect(seen).toEqual(numbers);
});
