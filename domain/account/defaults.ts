import type { CallingWindow } from '../call/calling-window.js';
import type { PreDial } from '../batch/pre-dial.js';
import { defaultTimezone } from '../batch/schedule.js';

export const unfilledRules = ['allow', 'reject'] as const;
/** What is done about a placeholder of prompt or greeting that stays empty: it is spoken as nothing, or the call is not made. */
export type UnfilledRule = (typeof unfilledRules)[number];

/** Used by a batch that does not set its own. */
export interface AccountDefaults {
  /** IANA name: of schedules that name none, and of callees whose zone is unknown. */
  readonly timezone: string;
  /** ISO 3166-1 alpha-2: whose national numbers a file may hold; null: none. */
  readonly country: string | null;
  readonly callingWindow: CallingWindow | null;
  readonly unfilledPlaceholders: UnfilledRule;
  /** Asked about recipients before they are dialed; null: nobody is. */
  readonly preDial: PreDial | null;
}

/** In force if an account has set none. */
export const noDefaults: AccountDefaults = {
  timezone: defaultTimezone,
  country: null,
  callingWindow: null,
  unfilledPlaceholders: 'allow',
  preDial: null,
};
