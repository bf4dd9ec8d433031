import { sipSaid } from './sip.js';
import { spoken } from './words.js';

interface Ended {
  readonly reason?: string;
  readonly answeredBy?: 'human' | 'machine' | 'unknown';
  readonly sipStatusCode?: number;
}

/** Why a call ended, by whom it was answered, and what the carrier said: `no response · 480 Temporarily Unavailable`. */
export const endSaid = ({ reason, answeredBy, sipStatusCode }: Ended): string =>
  [
    reason === undefined ? '' : spoken(reason),
    answeredBy === undefined || answeredBy === 'unknown'
      ? ''
      : `answered by a ${answeredBy === 'human' ? 'person' : 'machine'}`,
    sipStatusCode === undefined || sipStatusCode === 200 ? '' : sipSaid(sipStatusCode),
  ]
    .filter((part) => part !== '')
    .join(' · ');
