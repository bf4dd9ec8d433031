import { Webhook } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { formatId } from '../../../domain/ids.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';

interface Answer {
  readonly data: readonly {
    readonly deliveryId: string;
    readonly payload: string;
    readonly headers: Readonly<Record<string, string>>;
  }[];
  readonly next: string;
}

const follow = async (after?: string, token = here().me.token): Promise<Answer> => {
  const query = after === undefined ? '' : `?after=${after}`;
  const { status, body } = await api.get(`/v1/account/webhook-deliveries${query}`, { token });
  expect(status).toBe(200);
  return body as Answer;
};

const aDelivery = async (accountId: string, payload = '{}'): Promise<string> => {
  const id = formatId('webhookDelivery', uuidv7());
  await rowsOf(
    `insert into webhook_deliveries (id, account_id, event, endpoint, payload)
     values ($1, $2, 'call-summary', 'https://example.com/hook', $3)`,
    [id, accountId, payload],
  );
  return id;
};

const idAt = (milliseconds: number): string => formatId('webhookDelivery', uuidv7({ msecs: milliseconds }));

/** Deliveries with these ids. */
async function deliveries(accountId: string, ids: readonly string[]): Promise<void> {
  await rowsOf(
    `insert into webhook_deliveries (id, account_id, event, endpoint, payload)
     select id, $2, 'call-summary', 'https://example.com/hook', '{}' from unnest($1::text[]) id`,
    [ids, accountId],
  );
}

describe('200', () => {
  test('from now on, each delivery comes once, in order, as it is posted and signed', async () => {
    const { account, token } = await anAccount();
    await aDelivery(account.id);
    const { data: before, next: start } = await follow(undefined, token);
    expect(before).toEqual([]);
    const payload = '{"event":"call-summary",  "text":"é"}';
    const ids = [await aDelivery(account.id, payload), await aDelivery(account.id)];
    const { data, next } = await follow(start, token);
    expect(data.map(({ deliveryId }) => deliveryId)).toEqual(ids);
    const { secret } = (await api.get('/v1/account/webhook-secret', { token })).body as { secret: string };
    expect(data[0]?.payload).toBe(payload);
    expect(() => new Webhook(secret).verify(payload, data[0]?.headers ?? {})).not.toThrow();
    expect(await follow(next, token)).toEqual({ data: [], next });
  });

  test('more than one answer holds are walked through, and those of other accounts are passed over', async () => {
    const [mine, other] = [await anAccount(), await anAccount()];
    const { next: start } = await follow(undefined, mine.token);
    const ids: string[] = [];
    for (let i = 0; i < 55; i += 1) {
      await aDelivery(other.account.id);
      ids.push(await aDelivery(mine.account.id));
    }
    const first = await follow(start, mine.token);
    expect(first.data).toHaveLength(50);
    const second = await follow(first.next, mine.token);
    expect([...first.data, ...second.data].map(({ deliveryId }) => deliveryId)).toEqual(ids);
  });

  test('where to go on from names no delivery of another account, also after thousands of them', async () => {
    const [mine, other] = [await anAccount(), await anAccount()];
    const now = Date.now();
    const start = idAt(now);
    const theirs = Array.from({ length: 4_500 }, (_, place) => idAt(now + 1 + place));
    await deliveries(other.account.id, theirs.slice(0, 1));
    expect(await follow(start, mine.token)).toEqual({ data: [], next: start });
    await deliveries(other.account.id, theirs.slice(1));
    const [own, last] = [idAt(now + 1_999), idAt(now + 10_000)];
    await deliveries(mine.account.id, [own, last]);
    let { data, next } = await follow(start, mine.token);
    const seen = [data];
    while (next !== last) {
      expect(theirs).not.toContain(next);
      ({ data, next } = await follow(next, mine.token));
      seen.push(data);
    }
    expect(seen.flat().map(({ deliveryId }) => deliveryId)).toEqual([own, last]);
  });

  test('what comes after thousands that another account was sent within a millisecond is reached', async () => {
    const [mine, other] = [await anAccount(), await anAccount()];
    const msecs = Date.now();
    const theirs = Array.from({ length: 4_500 }, (_, seq) =>
      formatId('webhookDelivery', uuidv7({ msecs: msecs + 1, seq })),
    );
    await deliveries(other.account.id, theirs);
    const own = idAt(msecs + 2);
    await deliveries(mine.account.id, [own]);
    let place = idAt(msecs);
    let page = await follow(place, mine.token);
    while (page.data.length === 0) {
      expect(page.next > place).toBe(true);
      expect(theirs).not.toContain(page.next);
      place = page.next;
      page = await follow(place, mine.token);
    }
    expect(page.data).toMatchObject([{ deliveryId: own }]);
  });
});

describe('400', () => {
  test('an id that is none is named', async () => {
    const { status, body } = await api.get('/v1/account/webhook-deliveries?after=yesterday');
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'The request is not valid', errors: ['after: must be the id of a delivery, whd_…'] },
    });
  });
});
