import { typedNumber } from './typed-number.js';

export const onErrors = ['wait', 'skip', 'dial'] as const;

/** Who is asked before recipients are dialed, as fields have it. */
export interface PreDialValues {
  /** Its address; empty: nobody of its own. */
  readonly preDial: string;
  readonly onError: (typeof onErrors)[number];
  readonly timeoutMs: string;
}

export const noPreDial: PreDialValues = { preDial: '', onError: 'wait', timeoutMs: '3000' };

/** What is sent of the fields, whatever the address is. */
export const endpointOf = ({ preDial: url, onError, timeoutMs }: PreDialValues) => ({
  ...{ url, onError },
  timeoutMs: typedNumber(timeoutMs),
});

/** What is sent of the fields; null: nobody is asked. */
export const preDialOf = (values: PreDialValues) => (values.preDial === '' ? null : endpointOf(values));

interface Asked {
  readonly url: string;
  readonly timeoutMs?: number | undefined;
  readonly onError?: PreDialValues['onError'] | undefined;
}

/** What fields show of who is asked. */
export const preDialValuesOf = (asked: Asked | undefined): PreDialValues =>
  asked === undefined
    ? noPreDial
    : {
        preDial: asked.url,
        onError: asked.onError ?? noPreDial.onError,
        timeoutMs: String(asked.timeoutMs ?? noPreDial.timeoutMs),
      };

/** Who is asked for a batch call: whom the account names, nobody, or an endpoint of its own. */
export const askers = ['account', 'none', 'own'] as const;

/** The same with the choice that a batch call has while it is made. */
export interface ChosenPreDial extends PreDialValues {
  readonly asks: (typeof askers)[number];
}

/** What is sent of the choice; null: nothing, so that the account's defaults hold. */
export function chosenPreDialOf(values: ChosenPreDial): ReturnType<typeof endpointOf> | 'none' | null {
  if (values.asks === 'account') return null;
  return values.asks === 'none' ? 'none' : endpointOf(values);
}

/** What fields show of what was chosen. */
export function chosenPreDialValuesOf(chosen: Asked | 'none' | undefined): ChosenPreDial {
  if (chosen === undefined) return { asks: 'account', ...noPreDial };
  return chosen === 'none' ? { asks: 'none', ...noPreDial } : { asks: 'own', ...preDialValuesOf(chosen) };
}
