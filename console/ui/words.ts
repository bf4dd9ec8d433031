const format = new Intl.NumberFormat('en-US');

/** A whole number for people: `1,204`. */
export const figure = (value: number): string => format.format(value);

/** `1 call`, `2 calls` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${figure(count)} ${count === 1 ? one : many}`;

const shares = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** A share from 0 to 1 for people: `42.5%`. */
export const percent = (share: number): string => shares.format(share);

/** How long something lasted, in seconds from 0: `42 s`, `3 min 20 s`, `1 h 5 min`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [
    { of: Math.floor(whole / 86_400), unit: 'd' },
    { of: Math.floor(whole / 3_600) % 24, unit: 'h' },
    { of: Math.floor(whole / 60) % 60, unit: 'min' },
    { of: whole % 60, unit: 's' },
  ];
  const first = parts.findIndex(({ of }) => of > 0);
  if (first === -1) return '0 s';
  return parts
    .slice(first, first + 2)
    .flatMap(({ of, unit }) => (of > 0 ? [`${figure(of)} ${unit}`] : []))
    .join(' ');
}

/** A word of the API that is not written as people write it: `no_answer` → `no answer`. */
export const spoken = (word: string): string => word.replaceAll(/[_-]/g, ' ');

/** What something has cost: `12.5 USD`, and how much of it had no price. */
export function costSaid({
  amount,
  currency,
  withoutPrice,
}: {
  readonly amount: number | null;
  readonly currency: string;
  readonly withoutPrice: number;
}): string {
  const without = withoutPrice === 0 ? '' : `${counted(withoutPrice, 'conversation')} without a price`;
  if (amount === null) return without;
  const said = `${amount.toLocaleString('en-US', { maximumFractionDigits: 6 })} ${currency}`;
  return without === '' ? said : `${said}, and ${without}`;
}
