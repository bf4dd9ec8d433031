import { type ListSearch, listSearch } from '../app/list-search.js';
import { textOf } from '../app/search.js';

/** What the list of agents shows, as its address says it. */
export interface AgentsSearch extends ListSearch {
  readonly status?: 'active' | 'inactive' | undefined;
}

/** Reads the search parameters of the address, and drops what the page does not know. */
export const agentsSearch = (search: Record<string, unknown>): AgentsSearch => ({
  ...listSearch(search),
  status: search.status === 'active' || search.status === 'inactive' ? search.status : undefined,
});

const agentViews = ['json', 'versions', 'deployments'] as const;

/** A part of an agent beside its config as a form. */
export type AgentView = (typeof agentViews)[number];

/** What the page of an agent shows, as its address says it. */
export interface AgentSearch {
  readonly view?: AgentView | undefined;
  /** Ids of the two versions that are compared. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}

/** Reads the search parameters of the address, and drops what the page does not know. */
export const agentSearch = (search: Record<string, unknown>): AgentSearch => {
  const { page, perPage } = listSearch(search);
  return {
    view: agentViews.find((view) => view === search.view),
    before: textOf(search.before),
    after: textOf(search.after),
    page,
    perPage,
  };
};
