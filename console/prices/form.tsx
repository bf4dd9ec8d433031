import { Button, Fieldset, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { answered, client, type Schemas } from '../api/client.js';
import { type Problem as ApiProblem, problemsOf } from '../api/refused.js';
import { Problem } from '../ui/problem.js';
import { SaveChanges } from '../ui/save-changes.js';
import { useSavedFields } from '../ui/use-saved-fields.js';
import { bodyOf, isAtField, noPrice, type PriceValues, valuesOf } from './fields.js';

/** A gateway that a price can be for. */
export interface Gateway {
  readonly id: string;
  readonly name: string;
}

interface PriceProps {
  readonly place: number;
  readonly price: PriceValues;
  readonly gateways: readonly Gateway[];
  readonly problems: readonly ApiProblem[];
  /** It was just added: its first field takes the focus. */
  readonly isNew: boolean;
  readonly onChange: (part: Partial<PriceValues>) => void;
  readonly onRemove: () => void;
}

const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

/** One price: for which calls, and how much. */
function PriceFields({ place, price, gateways, problems, isNew, onChange, onRemove }: PriceProps) {
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (isNew) first.current?.focus();
  }, [isNew]);
  const base = `calls[${place}]`;
  const problemAt = (...paths: readonly string[]): string | undefined => {
    const found = problems.filter(({ path }) => paths.includes(path)).map(({ message }) => message);
    return found.length === 0 ? undefined : found.join('; ');
  };
  const known = gateways.some(({ id }) => id === price.gatewayId);
  const text = (name: keyof PriceValues, label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      inputWrapperOrder={order}
      inputMode={name === 'country' ? 'text' : 'decimal'}
      autoComplete="off"
      value={price[name]}
      error={problemAt(`${base}.${name}`)}
      onChange={(event) => {
        const typed = event.currentTarget.value.trim();
        onChange({ [name]: name === 'country' ? typed.toUpperCase() : typed });
      }}
    />
  );
  return (
    <Fieldset legend={`Price ${place + 1}`}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NativeSelect
            ref={first}
            label="Gateway"
            inputWrapperOrder={order}
            value={price.gatewayId}
            data={[
              { value: '', label: 'Any outbound gateway' },
              ...gateways.map(({ id, name }) => ({ value: id, label: name })),
              ...(known || price.gatewayId === '' ? [] : [{ value: price.gatewayId, label: price.gatewayId }]),
            ]}
            error={problemAt(base, `${base}.gatewayId`)}
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

interface Props {
  readonly prices: Schemas['AccountPrices'];
  readonly gateways: readonly Gateway[];
}

/** Sets what calls cost, each problem at its field. */
export function PricesForm({ prices, gateways }: Props) {
  const { saved, fields, saving, change, undo } = useSavedFields(prices, valuesOf, (typed) =>
    answered(client.PUT('/v1/account/prices', { body: bodyOf(typed) })),
  );
  const [added, setAdded] = useState<number | null>(null);
  const adding = useRef<HTMLButtonElement>(null);
  const { error } = saving;
  const problems = problemsOf(error);
  const { calls } = fields;
  const set = (place: number, part: Partial<PriceValues>) =>
    change({ calls: calls.map((price, at) => (at === place ? { ...price, ...part } : price)) });
  const add = () => {
    change({ calls: [...calls, noPrice] });
    setAdded(calls.length);
  };
  const remove = (place: number) => {
    // What was wrong with the third price says nothing of what is third now.
    saving.reset();
    change({ calls: calls.filter((_, at) => at !== place) });
    setAdded(null);
    adding.current?.focus();
  };
  const isChanged = JSON.stringify(bodyOf(fields)) !== JSON.stringify(bodyOf(saved));
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !saving.isPending) saving.mutate();
      }}
    >
      <Stack>
        <TextInput
          label="Currency"
          description="Such as USD: of all prices and costs. It stays once a call has been priced"
          inputWrapperOrder={order}
          maw={320}
          value={fields.currency}
          error={problems.find(({ path }) => path === 'currency')?.message}
          onChange={(event) => change({ currency: event.currentTarget.value.trim().toUpperCase() })}
        />
        {calls.length === 0 && (
          <Text>There is no price, so that no conversation has a cost. The first may be for all calls.</Text>
        )}
        {calls.map((price, place) => (
          <PriceFields
            key={place}
            {...{ place, price, gateways, problems }}
            isNew={place === added}
            onChange={(part) => set(place, part)}
            onRemove={() => remove(place)}
          />
        ))}
        <Group>
          <Button ref={adding} variant="default" size="xs" onClick={add}>
            Add a price
          </Button>
        </Group>
        <Problem
          error={error}
          title="Nothing was changed"
          shownAtFields={problems.map(({ path }) => path).filter(isAtField)}
        />
        <SaveChanges
          isChanged={isChanged}
          isSaving={saving.isPending}
          isSaved={saving.isSuccess}
          onUndo={() => {
            saving.reset();
            undo();
          }}
        />
      </Stack>
    </form>
  );
}
