import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Rows } from '../db/queries/rows.js';
import type { Total } from '../db/queries/counted.js';
import { Failure } from '../domain/errors.js';
import { pageBody, pageQuery, type PageRequest, rowsOfPage } from './pagination.js';

/** Query parameters of the lists that grow with the years. */
export const cursorQuery = {
  ...pageQuery,
  cursor: z
    .string()
    // Beyond, a URL of other characters, each of which takes up to twelve bytes, would be too long for HTTP.
    .max(600)
    .optional()
    .describe(
      'Instead of `page`. Empty: the first page; then `pageInfo.nextCursor` of the previous page, with the same ' +
        'filters. Rows added or removed meanwhile shift no page',
    ),
};

/** A whole number as text, for places in lists. */
export const wholeNumberText = z.string().regex(/^\d{1,17}$/);
export const instantAndId = z.tuple([wholeNumberText, z.string().min(1).max(200)]).readonly();

/** The list that a cursor belongs to. */
export interface Scope {
  readonly accountId: string;
  readonly list: string;
  readonly filter: object;
}

const Carried = z.strictObject({
  place: z.unknown(),
  seen: z.int().min(0),
  total: z.int().min(0),
  isEstimate: z.boolean(),
});

const Sealed = z.tuple([z.string(), z.string()]);

const wrong = (message: string): Failure =>
  new Failure(
    'invalid',
    'The query is not valid',
    [{ path: 'cursor', code: 'INVALID_VALUE', message }],
    undefined,
    'query',
  );

/** Tells a damaged cursor, and one of another list, from the list's own. It keeps no secret: a cursor opens nothing. */
const sealOf = (scope: Scope, carried: string): string =>
  createHash('sha256')
    .update(JSON.stringify([scope, carried]))
    .digest('base64url')
    .slice(0, 22);

function opened(cursor: string, scope: Scope): z.output<typeof Carried> {
  let sealed: z.output<typeof Sealed>;
  try {
    sealed = Sealed.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw wrong('is not a cursor: send `pageInfo.nextCursor` of the page before, or nothing for the first page');
  }
  const [seal, carried] = sealed;
  if (seal !== sealOf(scope, carried))
    throw wrong('is damaged, or belongs to another list or other filters: begin again with an empty cursor');
  return readCarried(carried);
}

function readCarried(text: string): z.output<typeof Carried> {
  try {
    return Carried.parse(JSON.parse(text));
  } catch {
    throw wrong('is damaged: begin again with an empty cursor');
  }
}

/** A page of a list, by its number or by a cursor. */
export interface Walk<Place> {
  readonly rows: Rows<Place>;
  /** @param next place of the page's last row; null if it is the list's last */
  readonly body: <Item>(total: number | Total, next: Place | null, data: Item[]) => ReturnType<typeof pageBody<Item>>;
}

/**
 * @param place what a place in the list is made of
 * @throws Failure `invalid` about the query, if the cursor is not one of this list with these filters
 */
export function walk<Place>(
  query: PageRequest & { readonly cursor?: string | undefined },
  scope: Scope,
  place: z.ZodType<Place>,
): Walk<Place> {
  const { cursor, perPage } = query;
  if (cursor === undefined)
    return { rows: rowsOfPage(query), body: (total, _next, data) => pageBody(query, total, data) };
  if (query.page !== 1) throw wrong('is sent together with `page`: send one of them');
  const carried = cursor === '' ? undefined : opened(cursor, scope);
  const after = carried === undefined ? undefined : place.safeParse(carried.place);
  if (after?.success === false) throw wrong('is damaged: begin again with an empty cursor');
  const offset = carried?.seen ?? 0;
  const rows: Rows<Place> = {
    ...{ offset, limit: perPage, after: after?.data, byCursor: true },
    counted: carried === undefined ? undefined : { rows: carried.total, isEstimate: carried.isEstimate },
  };
  return {
    rows,
    body: (counted, next, data) => {
      const total = typeof counted === 'number' ? { rows: counted, isEstimate: false } : counted;
      const page = Math.floor(offset / perPage) + 1;
      const { pageInfo } = pageBody({ page, perPage }, total, data);
      if (next === null) return { pageInfo, data };
      const seen = offset + data.length;
      const text = JSON.stringify({ place: next, seen, total: total.rows, isEstimate: total.isEstimate });
      const nextCursor = Buffer.from(JSON.stringify([sealOf(scope, text), text])).toString('base64url');
      return { pageInfo: { ...pageInfo, nextCursor }, data };
    },
  };
}
