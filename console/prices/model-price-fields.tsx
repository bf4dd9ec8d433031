import { NativeSelect, SimpleGrid } from '@mantine/core';
import { type Problem, wordsAt } from '../api/refused.js';
import { useFocusOf } from '../ui/growing-list.js';
import { modelKinds, type ModelPriceValues, modelUnits } from './fields.js';
import { fieldOrder, PriceField } from './price-field.js';
import type { PriceProps } from './price-list.js';

interface Props extends PriceProps<ModelPriceValues> {
  readonly providers: readonly string[];
  readonly problems: readonly Problem[];
}

/** One price: for which models, and how much of which unit. */
export function ModelPriceFields({ place, price, providers, problems, isNew, onChange }: Props) {
  const first = useFocusOf<HTMLSelectElement>(isNew);
  const base = `models[${place}]`;
  const at = (name: string) => wordsAt(problems, `${base}.${name}`);
  const { provider, model, kind } = price;
  const listed = provider === '' || providers.includes(provider) ? providers : [...providers, provider];
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NativeSelect
          ref={first}
          label="Provider"
          inputWrapperOrder={fieldOrder}
          value={provider}
          data={[{ value: '', label: 'Any' }, ...listed]}
          error={wordsAt(problems, base, `${base}.provider`)}
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
    </>
  );
}
