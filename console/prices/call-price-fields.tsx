import { Button, Fieldset, Group, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Problem } from '../api/refused.js';
import type { PriceValues } from './fields.js';
import { fieldOrder, PriceField, problemAt } from './price-field.js';

/** A gateway that a price can be for. */
export interface Gateway {
  readonly id: string;
  readonly name: string;
}

interface PriceProps {
  readonly place: number;
  readonly price: PriceValues;
  readonly gateways: readonly Gateway[];
  readonly problems: readonly Problem[];
  /** It was just added: its first field takes the focus. */
  readonly isNew: boolean;
  readonly onChange: (part: Partial<PriceValues>) => void;
  readonly onRemove: () => void;
}

/** One price: for which calls, and how much. */
export function CallPriceFields({ place, price, gateways, problems, isNew, onChange, onRemove }: PriceProps) {
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (isNew) first.current?.focus();
  }, [isNew]);
  const base = `calls[${place}]`;
  const known = gateways.some(({ id }) => id === price.gatewayId);
  const text = (name: keyof PriceValues, label: string, description: string) => (
    <PriceField
      {...{ label, description, isText: name === 'country', value: price[name] }}
      error={problemAt(problems, `${base}.${name}`)}
      onChange={(typed) => onChange({ [name]: name === 'country' ? typed.toUpperCase() : typed })}
    />
  );
  return (
    <Fieldset legend={`Price ${place + 1}`}>
      <Stack gap="sm">
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
            error={problemAt(problems, base, `${base}.gatewayId`)}
            onChange={(event) => onChange({ gatewayId: event.currentTarget.value })}
          />
          {text('country', 'Country', 'Such as IN, or 001 for numbers of none. Empty: any')}
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          {text('perMinute', 'Per minute', 'Such as 0.0085')}
          {text('incrementSeconds', 'In steps of', 'Seconds')}
          {text('minimumSeconds', 'At least', 'Seconds')}
        </SimpleGrid>
        <Group justify="flex-end">
          <Button variant="default" size="xs" aria-label={`Remove price ${place + 1}`} onClick={onRemove}>
            Remove
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
