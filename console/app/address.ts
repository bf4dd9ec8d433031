import { useState } from 'react';

interface Going<Search> {
  readonly search: Search;
  readonly replace: boolean;
  readonly resetScroll: boolean;
}

/** What a page shows, as the address says it or is about to say it, and how to change that. */
export interface Address<Search> {
  readonly search: Search;
  /** Changes a part of it, in place of the present entry of the browser’s history; a list begins again with its first page. */
  readonly change: (part: Search) => void;
  /** Turns the page of a list. */
  readonly turn: (page: number, perPage: number) => void;
  /** Leaves nothing of it. */
  readonly clear: () => void;
}

/**
 * Keeps what a page shows in its address. What was chosen is shown at once, as the router takes a moment to go there: a box that is
 * ticked stays ticked, and a second choice is added to the first.
 *
 * @param search what the address says, from the route’s `useSearch`
 * @param navigate the route’s `useNavigate`
 */
export function useAddress<Search extends object>(
  search: Search,
  navigate: (to: Going<Search>) => Promise<void>,
): Address<Search> {
  const [arrived, setArrived] = useState(search);
  const [ahead, setAhead] = useState<Search | null>(null);
  if (arrived !== search) {
    setArrived(search);
    setAhead(null);
  }
  const shown = arrived === search && ahead !== null ? ahead : search;
  const go = (next: object, isTurn: boolean) => {
    const search = withoutEmpty(next) as Search;
    setAhead(search);
    void navigate({ search, replace: !isTurn, resetScroll: isTurn });
  };
  return {
    search: shown,
    change: (part) => go({ ...shown, page: undefined, ...part }, false),
    turn: (page, perPage) => go({ ...shown, page, perPage }, true),
    clear: () => go({}, false),
  };
}

/** An address has no empty fields. */
const withoutEmpty = (search: object) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
