import { Button, Fieldset, Group, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Problem } from '../api/refused.js';
import { modelKinds, type ModelPriceValues, modelUnits } from './fields.js';
import { fieldOrder, PriceField, problemAt } from './price-field.js';

interface Props {
  readonly place: number;
  readonly price: ModelPriceValues;
  readonly providers: readonly string[];
  readonly problems: readonly Problem[];
  /** It was just added: its first field takes the focus. */
  readonly isNew: boolean;
  readonly onChange: (part: Partial<ModelPriceValues>) => void;
  readonly onRemove: () => void;
}

/** One price: for which models, and how much of which unit. */
export function ModelPriceFields({ place, price, providers, problems, isNew, onChange, onRemove }: Props) {
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (isNew) first.current?.focus();
  }, [isNew]);
  const base = `models[${place}]`;
  const at = (name: string) => problemAt(problems, `${base}.${name}`);
  const { provider, model, kind } = price;
  const listed = provider === '' || providers.includes(provider) ? providers : [...providers, provider];
  return (
    <Fieldset legend={`Price of models ${place + 1}`}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <NativeSelect
            ref={first}
            label="Provider"
            inputWrapperOrder={fieldOrder}
            value={provider}
            data={[{ value: '', label: 'Any' }, ...listed]}
            error={problemAt(problems, base, `${base}.provider`)}
            onChange={(event) => onChange({ provider: event.currentTarget.value })}
          />
          <PriceField
            {...{ label: 'Model', description: 'Such as gpt-4.1-mini. Empty: any', isText: true, value: model }}
            error={at('model')}
            onChange={(typed) => onChange({ model: typed })}
          />
          <NativeSelect
            label="Kind"
            inputWrapperOrder={fieldOrder}
            value={kind}
            data={[{ value: '', label: 'Any' }, ...modelKinds]}
            error={at('kind')}
            onChange={(event) => onChange({ kind: event.currentTarget.value })}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          {modelUnits.map(({ name, label, note }) => (
            <PriceField
              key={name}
              {...{ label, description: note, value: price[name] }}
              error={at(name)}
              onChange={(typed) => onChange({ [name]: typed })}
            />
          ))}
        </SimpleGrid>
        <Group justify="flex-end">
          <Button variant="default" size="xs" aria-label={`Remove price of models ${place + 1}`} onClick={onRemove}>
            Remove
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
