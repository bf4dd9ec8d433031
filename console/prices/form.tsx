import { Stack, Text, TextInput, Title } from '@mantine/core';
import { answered, client, type Schemas } from '../api/client.js';
import { problemsOf, wordsAt } from '../api/refused.js';
import { Problem } from '../ui/problem.js';
import { SaveChanges } from '../ui/save-changes.js';
import { useSavedFields } from '../ui/use-saved-fields.js';
import { CallPriceFields, type Gateway } from './call-price-fields.js';
import { bodyOf, isAtField, noModelPrice, noPrice, valuesOf } from './fields.js';
import { ModelPriceFields } from './model-price-fields.js';
import { fieldOrder } from './price-field.js';
import { PriceList } from './price-list.js';

interface Props {
  readonly prices: Schemas['AccountPrices'];
  readonly gateways: readonly Gateway[];
  /** Providers of models, as slugs begin with them. */
  readonly providers: readonly string[];
}

/** Sets what calls and models cost, each problem at its field. */
export function PricesForm({ prices, gateways, providers }: Props) {
  const { saved, fields, saving, change, undo } = useSavedFields(prices, valuesOf, (typed) =>
    answered(client.PUT('/v1/account/prices', { body: bodyOf(typed) })),
  );
  const { error } = saving;
  const problems = problemsOf(error);
  const { currency, calls, models } = fields;
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
          description="Such as USD, for all prices and costs. It cannot be changed once a call has been priced"
          inputWrapperOrder={fieldOrder}
          maw={320}
          value={currency}
          error={wordsAt(problems, 'currency')}
          onChange={(event) => change({ currency: event.currentTarget.value.trim().toUpperCase() })}
        />
        <Title order={2} size="h4">
          Calls
        </Title>
        {calls.length === 0 && (
          <Text>There are no prices yet, so conversations have no cost. The first may be for all calls.</Text>
        )}
        <PriceList
          prices={calls}
          one="price"
          fresh={noPrice}
          onChange={(next) => change({ calls: next })}
          onRemove={() => saving.reset()}
        >
          {(one) => <CallPriceFields {...one} {...{ gateways, problems }} />}
        </PriceList>
        {models !== null && (
          <>
            <Title order={2} size="h4">
              Models
            </Title>
            <Text size="sm">
              What the models of agents use adds to the cost of the call. The most specific price counts: by provider,
              model and kind. A model without a price costs nothing.
            </Text>
            <PriceList
              prices={models}
              one="price of models"
              fresh={noModelPrice}
              onChange={(next) => change({ models: next })}
              onRemove={() => saving.reset()}
            >
              {(one) => <ModelPriceFields {...one} {...{ providers, problems }} />}
            </PriceList>
          </>
        )}
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
