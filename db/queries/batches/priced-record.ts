import { sql } from 'kysely';
import type { Cost } from '../../../domain/account/money.js';

/** What a record has cost. */
export interface PricedRecord {
  readonly cost: Cost;
  /** null: the account has no prices. */
  readonly currency: string | null;
}

/** Columns of {@link PricedRecord} from `calls c`. */
export const pricedRecordColumns = sql`
  (select json_build_object('costMicros', sum(s.cost)::text, 'unpriced', count(*) filter (where s.unpriced))
    from call_attempts s where s.call_id = c.id) as cost,
  (select p.currency from account_prices p where p.account_id = c.account_id) as currency`;
