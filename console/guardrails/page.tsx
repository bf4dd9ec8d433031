import { SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { guardrailsQuery } from '../api/queries.js';
import { useMayOperate } from '../session/session.js';
import { Fresh } from '../ui/fresh.js';
import { Page } from '../ui/page.js';
import { CheckNumber } from './check.js';
import { GuardrailsForm } from './settings.js';

/** What no call of the account may do, whatever its batch call says; and whether a certain number may be called now. */
export function GuardrailsPage() {
  const query = useQuery(guardrailsQuery);
  const mayOperate = useMayOperate();
  return (
    <Page title="Guardrails" requests={[{ path: '/v1/account/guardrails' }]}>
      {!mayOperate && <Text>Your token may only read.</Text>}
      <Fresh query={query}>
        {(guardrails) => (
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
            <GuardrailsForm guardrails={guardrails} />
            <CheckNumber />
          </SimpleGrid>
        )}
      </Fresh>
    </Page>
  );
}
