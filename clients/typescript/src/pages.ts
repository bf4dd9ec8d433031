/** What every list answers. */
interface Page<Item> {
  readonly pageInfo: { readonly currentPage: number; readonly lastPage: number; readonly nextCursor?: string };
  readonly data: readonly Item[];
}

/**
 * Everything in a list that takes `cursor`, page after page as it is asked for.
 *
 * @param list asks for a page: `(at) => outdial.calls.list({ query: { ...at, perPage: 100 } })`
 */
export async function* itemsByCursor<Item>(
  list: (at: { readonly cursor: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const page: Page<Item> = await list({ cursor });
    yield* page.data;
    cursor = page.pageInfo.nextCursor;
  }
}

/** The same of a list that takes `page` alone. What is added or removed meanwhile moves the others from page to page. */
export async function* itemsByPage<Item>(
  list: (at: { readonly page: number }) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let page = 1, lastPage = 1; page <= lastPage; page += 1) {
    const answer = await list({ page });
    yield* answer.data;
    ({ lastPage } = answer.pageInfo);
  }
}
