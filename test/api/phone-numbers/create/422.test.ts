import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { numbersBody, rowsOf } from '../../support-resources.js';

const create = (body: object, key: string) =>
  api.post('/v2/sip/phone-numbers', body, { headers: { 'idempotency-key': key } });

// shows: everywhere.422
test('a key that was used with other content is refused, and changes nothing', async () => {
  await create(numbersBody(), 'once');
  const other = numbersBody();

  const response = await create(other, 'once');

  expect(response.status).toBe(422);
  expect(response.body).toEqual({ message: expect.stringContaining('another request') });
  expect(await rowsOf('select 1 from phone_numbers where e164 = $1', other.phoneNumbers)).toEqual([]);
});

// shows: idempotency.content
test('the order of fields and a default spelled out do not make it other content', async () => {
  const body = numbersBody();
  const first = await create(body, 'reordered');
  const reordered = Object.fromEntries(Object.entries({ ...body, isShared: true }).reverse());
  const again = await create(reordered, 'reordered');
  expect(again.status).toBe(201);
  expect(again.body).toEqual(first.body);
});

// shows: idempotency.refusal
test('a refusal is not kept: the key may be used again with what is right', async () => {
  expect((await create(numbersBody({ name: '' }), 'mended')).status).toBe(400);
  const taken = numbersBody();
  await create(taken, 'taken');
  expect((await create(taken, 'mended')).status).toBe(400);
  expect((await create(numbersBody(), 'mended')).status).toBe(201);
});

// shows: idempotency.24h
test('after 24 hours a key is new', async () => {
  await create(numbersBody(), 'old');
  await rowsOf(
    `update idempotency_keys set created_at = now() - interval '24 hours 1 second' where idempotency_key = 'old'`,
  );
  const response = await create(numbersBody(), 'old');
  expect(response.status).toBe(201);
  expect(response.headers['idempotent-replayed']).toBeUndefined();
});

// shows: idempotency.sealed
test('stored answers are sealed', async () => {
  const body = numbersBody({ name: 'Readable name' });
  await create(body, 'sealed');
  const rows = await rowsOf<{ response_sealed: string }>('select response_sealed from idempotency_keys');
  expect(rows.every((row) => !row.response_sealed.includes('Readable'))).toBe(true);
  expect(rows.length).toBeGreaterThan(0);
});
