import { z } from 'zod';
import { mostCounted, type Total } from '../db/queries/counted.js';

/** A query parameter that is a whole number, as a number; anything else as it is. */
export const wholeNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;

const wholeNumberIn = (minimum: number, maximum: number) =>
  z.preprocess(
    wholeNumber,
    z
      .int({ error: (issue) => (issue.code === 'invalid_type' ? 'must be a whole number' : undefined) })
      .min(minimum)
      .max(maximum),
  );

/** Items on a page at most. */
export const mostPerPage = 100;

/** Query parameters of every list. Out of range is refused, a page past the end is empty. */
export const pageQuery = {
  page: wholeNumberIn(1, 1_000_000_000).default(1).describe('Page, from 1'),
  perPage: wholeNumberIn(1, mostPerPage).default(20).describe('Items on a page'),
};

export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
}

const PageInfo = z
  .strictObject({
    currentPage: z.int().describe('The page asked for'),
    perPage: z.int().describe('Items on a page'),
    lastPage: z.int().describe('1 for an empty list'),
    total: z.int().describe('Items on all pages'),
    totalIsEstimate: z
      .literal(true)
      .optional()
      .describe(
        `There are more items than \`total\` says: no more than ${mostCounted.toLocaleString('en-US')} were counted. ` +
          '`lastPage` names a page that exists: go on until it is the current one. Omitted: `total` is exact',
      ),
    nextCursor: z
      .string()
      .optional()
      .describe('`cursor` of the next page. Only if `cursor` was sent; omitted on the last page'),
  })
  .meta({
    id: 'PageInfo',
    description: 'Where in the list this page is',
    examples: [{ currentPage: 1, perPage: 20, lastPage: 1, total: 1 }],
  });

/** Response of a list, newest first. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    pageInfo: PageInfo,
    data: z.array(item).describe('Empty past the end'),
  });

/** Rows to skip and to take. */
export const rowsOfPage = ({ page, perPage }: PageRequest): { readonly offset: number; readonly limit: number } => ({
  offset: (page - 1) * perPage,
  limit: perPage,
});

/** @param total rows that were counted: a number if they were counted to their end */
export function pageBody<Item>({ page, perPage }: PageRequest, total: number | Total, data: Item[]) {
  const { rows, isEstimate } = typeof total === 'number' ? { rows: total, isEstimate: false } : total;
  const lastPage = Math.max(1, Math.ceil(rows / perPage));
  const estimate: { totalIsEstimate?: true; nextCursor?: string } = isEstimate ? { totalIsEstimate: true } : {};
  return { pageInfo: { currentPage: page, perPage, lastPage, total: rows, ...estimate }, data };
}
