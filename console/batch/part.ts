import type { Paging } from '../api/batch-queries.js';
import type { Schemas } from '../api/client.js';

/** A part of the page of a batch call that lists something. */
export interface ListPart {
  readonly batch: Schemas['BatchCallDetail'];
  readonly paging: Paging;
  readonly onTurn: (page: number, perPage: number) => void;
}
