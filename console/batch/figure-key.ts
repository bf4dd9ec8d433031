import type { FiguresBy } from '../api/batch-queries.js';
import { sipSaid } from '../ui/sip.js';
import { spoken } from '../ui/words.js';

/** What the line is called of those that have no key. */
const none: Readonly<Partial<Record<FiguresBy, string>>> = {
  hour: 'never dialed',
  day: 'never dialed',
  attempt: 'never dialed',
  answeredBy: 'not answered',
  sipStatusCode: 'no SIP answer',
};

/** What a line of the figures is about, in words. */
export function keySaid(by: FiguresBy, key: string | null): string {
  if (key === null) return none[by] ?? 'none';
  if (by === 'hour') return `${key}:00`;
  if (by === 'sipStatusCode') return sipSaid(key);
  return by === 'status' || by === 'reason' ? spoken(key) : key;
}
