import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { cursorQuery, instantAndId, walk } from '../../../api/cursor.js';
import { Failure } from '../../../domain/errors.js';

const scope = { accountId: 'acc_1', list: 'calls', filter: {} };
const query = (cursor: string) => ({ page: 1, perPage: 20, cursor });

/** A cursor made by a client that knows how cursors are sealed. */
function forged(text: string): string {
  const seal = createHash('sha256')
    .update(JSON.stringify([scope, text]))
    .digest('base64url');
  return Buffer.from(JSON.stringify([seal.slice(0, 22), text])).toString('base64url');
}

test.each([
  'no JSON',
  '{}',
  '{"place":["1","a"],"seen":-1,"total":5,"isEstimate":false}',
  '{"place":["1 or true","a"],"seen":1,"total":5,"isEstimate":false}',
])('a cursor that is sealed rightly and says %s is refused as damaged, naming the field', (text) => {
  let refusal: unknown;
  try {
    walk(query(forged(text)), scope, instantAndId);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(Failure);
  expect((refusal as Failure).problems).toMatchObject([{ path: 'cursor' }]);
});

test('the longest cursor that a list gives out is accepted by it', () => {
  const last = ['9'.repeat(17), 'x'.repeat(60)] as const;
  const { body } = walk({ page: 1, perPage: 20, cursor: '' }, scope, instantAndId);
  const { pageInfo } = body({ rows: Number.MAX_SAFE_INTEGER, isEstimate: true }, last, [{}]);
  const nextCursor = String(pageInfo.nextCursor);
  expect(cursorQuery.cursor.safeParse(nextCursor)).toMatchObject({ success: true });
  expect(walk(query(nextCursor), scope, instantAndId).rows.after).toEqual(last);
});
