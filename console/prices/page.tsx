import { Paper, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { pricesQuery } from '../api/account.js';
import { providersQuery } from '../api/agents.js';
import type { Schemas } from '../api/client.js';
import { gatewaysQuery } from '../api/telephony.js';
import { useMayOperate } from '../session/session.js';
import { DataTable, NumberCell } from '../ui/data-table.js';
import { Fresh } from '../ui/fresh.js';
import { Page } from '../ui/page.js';
import { figure } from '../ui/words.js';
import type { Gateway } from './call-price-fields.js';
import { modelUnits, mostInFields, valuesOf } from './fields.js';
import { PricesForm } from './form.js';

const listed = { page: 1, perPage: 100 };

/** Gateways of both directions, by name. */
function useGateways(): readonly Gateway[] {
  const outbound = useQuery(gatewaysQuery('outbound', listed));
  const inbound = useQuery(gatewaysQuery('inbound', listed));
  return [...(outbound.data?.data ?? []), ...(inbound.data?.data ?? [])].map(({ id, name }) => ({ id, name }));
}

interface Props {
  readonly prices: Schemas['AccountPrices'];
  readonly gateways: readonly Gateway[];
}

/** The prices, for those who do not change them here. */
function PricesTable({ prices, gateways }: Props) {
  const nameOf = (gatewayId: string) => gateways.find(({ id }) => id === gatewayId)?.name ?? gatewayId;
  const { currency, calls } = valuesOf(prices);
  if (calls.length === 0) return <Text>There are no prices yet, so conversations have no cost.</Text>;
  return (
    <DataTable
      label="Prices"
      head={[
        { words: 'Gateway' },
        { words: 'Country' },
        ...[`${currency} per minute`, 'In steps of', 'At least'].map((words) => ({ words, isNumber: true })),
      ]}
    >
      {calls.slice(0, mostInFields).map(({ gatewayId, country, ...price }) => (
        <Table.Tr key={`${gatewayId} ${country}`}>
          <Table.Td>{gatewayId === '' ? 'any outbound' : nameOf(gatewayId)}</Table.Td>
          <Table.Td>{country === '' ? 'any' : country}</Table.Td>
          <NumberCell>{price.perMinute}</NumberCell>
          <NumberCell>{price.incrementSeconds} s</NumberCell>
          <NumberCell>{price.minimumSeconds} s</NumberCell>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

/** What models cost by unit, for those who do not change it here. */
const ModelPrices = ({ models = [], currency }: Pick<Schemas['AccountPrices'], 'models' | 'currency'>) =>
  models.length === 0 ? null : (
    <Paper withBorder p="md" maw={760} component="section" aria-label="Prices of models">
      <Stack>
        <Text size="sm">
          What models cost in {currency}; the most specific price counts, and what is used adds to the cost of its call.
        </Text>
        <TooMany count={models.length} />
        <DataTable
          label="Prices of models"
          head={[
            { words: 'Model' },
            { words: 'Kind' },
            ...modelUnits.map(({ label: words }) => ({ words, isNumber: true })),
          ]}
        >
          {models.slice(0, mostInFields).map(({ provider = 'any', model, kind = 'any', ...price }) => (
            <Table.Tr key={`${provider} ${model ?? ''} ${kind}`}>
              <Table.Td>{model === undefined ? provider : `${provider}/${model}`}</Table.Td>
              <Table.Td>{kind}</Table.Td>
              {modelUnits.map(({ name }) => (
                <NumberCell key={name}>{price[name] ?? '–'}</NumberCell>
              ))}
            </Table.Tr>
          ))}
        </DataTable>
      </Stack>
    </Paper>
  );

/** That a list is longer than what is shown of it. */
const TooMany = ({ count }: { readonly count: number }) =>
  count > mostInFields && (
    <Text>
      The first {mostInFields} of {figure(count)} are shown. The others can be changed through the API.
    </Text>
  );

/** What calls and models cost. */
export function PricesPage() {
  const query = useQuery(pricesQuery);
  const gateways = useGateways();
  const providers = useQuery(providersQuery).data ?? [];
  const mayOperate = useMayOperate();
  const isEdited = ({ calls }: Schemas['AccountPrices']) => mayOperate && calls.length <= mostInFields;
  return (
    <Page title="Prices" requests={[{ path: '/v1/account/prices' }]}>
      <Fresh query={query}>
        {(prices) => (
          <Stack gap="lg">
            <Paper
              withBorder
              p="md"
              maw={760}
              component="section"
              aria-label={isEdited(prices) ? 'Prices of calls and models' : 'Prices of calls'}
            >
              <Stack>
                <Text size="sm">
                  What a conversation costs, by its gateway and the country of the other end; the most specific price
                  counts. A call is priced once, when it ends: changes count for calls that end from then on.
                </Text>
                <TooMany count={prices.calls.length} />
                {isEdited(prices) ? (
                  <PricesForm {...{ prices, gateways, providers }} />
                ) : (
                  <PricesTable prices={prices} gateways={gateways} />
                )}
              </Stack>
            </Paper>
            {!(isEdited(prices) && (prices.models ?? []).length <= mostInFields) && <ModelPrices {...prices} />}
          </Stack>
        )}
      </Fresh>
    </Page>
  );
}
