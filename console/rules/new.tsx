import { NativeSelect, Paper } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { answered, client, type Schemas } from '../api/client.js';
import { useMayOperate } from '../session/session.js';
import { ResourceForm } from '../ui/form/resource-form.js';
import { Page } from '../ui/page.js';
import { ReadOnly } from '../ui/read-only.js';
import { useChoices } from './choices.js';
import { proposedRule, ruleGroups } from './fields.js';

const route = getRouteApi('/rules/new');

/** A new rule: which agent takes part in the calls of which numbers. */
export function NewRulePage() {
  const { type = 'outbound' } = route.useSearch();
  const navigate = route.useNavigate();
  const mayOperate = useMayOperate();
  const choices = useChoices();
  const send = (body: unknown, key: string) =>
    answered(
      client.POST('/v2/sip/routing-rule', {
        body: { ...(body as Schemas['CreateRoutingRule']), type },
        params: { header: { 'idempotency-key': key } },
      }),
    );
  return (
    <Page title="New routing rule" requests={[{ method: 'POST', path: '/v2/sip/routing-rule' }]}>
      {!mayOperate && <ReadOnly />}
      {mayOperate && choices !== undefined && (
        <Paper withBorder p="md" maw={760}>
          <NativeSelect
            label="For calls that"
            mb="md"
            value={type}
            data={[
              { value: 'outbound', label: 'go out' },
              { value: 'inbound', label: 'come in' },
            ]}
            onChange={(event) => {
              const next = event.currentTarget.value === 'inbound' ? 'inbound' : 'outbound';
              void navigate({ search: { type: next }, replace: true });
            }}
          />
          <ResourceForm
            key={type}
            groups={ruleGroups(type, choices)}
            action="Create rule"
            proposed={proposedRule}
            send={send}
            onDone={({ id }) => void navigate({ to: '/rules/$ruleId', params: { ruleId: id }, ignoreBlocker: true })}
          />
        </Paper>
      )}
    </Page>
  );
}
