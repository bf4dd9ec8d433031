import { NativeSelect, SimpleGrid } from '@mantine/core';
import { type Problem, wordsAt } from '../api/refused.js';
import { useFocusOf } from '../ui/growing-list.js';
import type { PriceValues } from './fields.js';
import { fieldOrder, PriceField } from './price-field.js';
import type { PriceProps } from './price-list.js';

/** A gateway that a price can be for. */
export interface Gateway {
  readonly id: string;
  readonly name: string;
}

interface Props extends PriceProps<PriceValues> {
  readonly gateways: readonly Gateway[];
  readonly problems: readonly Problem[];
}

/** One price: for which calls, and how much. */
export function CallPriceFields({ place, price, gateways, problems, isNew, onChange }: Props) {
  const first = useFocusOf<HTMLSelectElement>(isNew);
  const base = `calls[${place}]`;
  const known = gateways.some(({ id }) => id === price.gatewayId);
  const text = (name: keyof PriceValues, label: string, description: string) => (
    <PriceField
      {...{ label, description, isText: name === 'country', value: price[name] }}
      error={wordsAt(problems, `${base}.${name}`)}
      onChange={(typed) => onChange({ [name]: name === 'country' ? typed.toUpperCase() : typed })}
    />
  );
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect
          ref={first}
          label="Gateway"
          inputWrapperOrder={fieldOrder}
          value={price.gatewayId}
          data={[
            { value: '', label: 'Any outbound gateway' },
            ...gateways.map(({ id, name }) => ({ value: id, label: name })),
            ...(known || price.gatewayId === '' ? [] : [{ value: price.gatewayId, label: price.gatewayId }]),
          ]}
          error={wordsAt(problems, base, `${base}.gatewayId`)}
          onChange={(event) => onChange({ gatewayId: event.currentTarget.value })}
        />
        {text('country', 'Country', 'Such as IN, or 001 for numbers of none. Empty: any')}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {text('perMinute', 'Per minute', 'Such as 0.0085')}
        {text('incrementSeconds', 'In steps of', 'Seconds')}
        {text('minimumSeconds', 'At least', 'Seconds')}
      </SimpleGrid>
    </>
  );
}
