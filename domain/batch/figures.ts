import type { Cost } from '../account/money.js';

/** By what the figures of calls are given. */
export const figureDimensions = [
  'hour',
  'day',
  'attempt',
  'status',
  'reason',
  'sipStatusCode',
  'answeredBy',
  'phoneNumber',
  'variant',
] as const;
export type FigureDimension = (typeof figureDimensions)[number];

/** What calls with one key came to. */
export interface FigureRow extends Cost {
  /** null: none, such as the hour of calls that were never dialed */
  readonly key: string | null;
  /** Calls that are over: of the key of their last attempt, or by how the call itself ended. */
  readonly calls: number;
  /** Attempts that are over. */
  readonly attempts: number;
  readonly answered: number;
  readonly human: number;
  readonly machine: number;
  /** Attempts whose analysis found that they achieved their purpose. */
  readonly success: number;
  readonly talkSeconds: number;
}
