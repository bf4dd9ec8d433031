import type { Schemas } from '../api/client.js';

/** What everything that is done about one recipient works with. */
export interface RecordProps {
  readonly batch: Schemas['BatchCallDetail'];
  readonly record: Schemas['BatchRecord'];
}
