import { listSearch, type ListSearch } from '../app/list-search.js';

/** The parts of the page of a campaign, beside its overview. */
const views = ['settings'] as const;
type CampaignView = (typeof views)[number];

/** What the page of a campaign shows, as its address says it. */
export interface CampaignSearch extends Pick<ListSearch, 'page' | 'perPage'> {
  readonly view?: CampaignView | undefined;
}

/** Reads the search parameters of the address, and drops what the page does not know. */
export const campaignSearch = (search: Record<string, unknown>): CampaignSearch => {
  const { page, perPage } = listSearch(search);
  return { view: views.find((view) => view === search.view), page, perPage };
};
