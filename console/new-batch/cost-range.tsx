import { Text } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { counted } from '../ui/words.js';

const money = (amount: number): string => amount.toLocaleString('en-US', { maximumFractionDigits: amount < 1 ? 6 : 2 });

/** What the calls are likely to cost, and what that rests on. */
export function CostRange({ cost }: { readonly cost: NonNullable<Schemas['BatchCallReport']['estimate']['cost']> }) {
  const { low, high, currency, withoutPrice, basis } = cost;
  return (
    <Text size="sm">
      They cost about <b>{`${low === high ? money(low) : `${money(low)} to ${money(high)}`} ${currency}`}</b>. {basis}
      {withoutPrice > 0 &&
        ` ${counted(withoutPrice, 'number has', 'numbers have')} no price: their minutes are not included.`}
    </Text>
  );
}
