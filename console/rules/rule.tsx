import { Alert, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answered, client, type Schemas } from '../api/client.js';
import { ruleQuery } from '../api/telephony.js';
import { useMayOperate } from '../session/session.js';
import { Ask } from '../ui/ask.js';
import { FactList } from '../ui/fact-list.js';
import { ResourceForm } from '../ui/form/resource-form.js';
import { Fresh } from '../ui/fresh.js';
import { TextLink } from '../ui/link.js';
import { Page } from '../ui/page.js';
import { Status } from '../ui/status.js';
import { useChoices } from './choices.js';
import { ruleGroups } from './fields.js';

const route = getRouteApi('/rules/$ruleId');

const Facts = ({ rule }: { readonly rule: Schemas['RoutingRule'] }) => (
  <FactList
    facts={[
      { name: 'Numbers', said: rule.phoneNumbers.join(', ') || '–' },
      {
        name: 'Room',
        said: rule.room.type === 'static' ? `one for all calls: ${rule.room.id ?? ''}` : 'one for each call',
      },
      { name: 'Recorded', said: rule.recording ? 'yes' : 'no' },
      { name: 'Keypad tones (DTMF)', said: rule.dtmf ? 'yes' : 'no' },
    ]}
  />
);

/** One rule: its agent, its numbers, and what is done with its calls. */
export function RulePage() {
  const { ruleId } = route.useParams();
  const navigate = route.useNavigate();
  const mayOperate = useMayOperate();
  const query = useQuery(ruleQuery(ruleId));
  const choices = useChoices();
  const rule = query.data;
  const path = { ruleId };
  return (
    <Page
      title={rule?.name ?? 'Routing rule'}
      marks={rule !== undefined && <Status status={rule.type} />}
      requests={[{ path: `/v2/sip/routing-rule/${encodeURIComponent(ruleId)}` }]}
      actions={
        mayOperate &&
        rule !== undefined && (
          <Ask
            label="Delete"
            title={`Delete ${rule.name}?`}
            action="Delete this rule"
            typed="delete"
            isDangerous
            onConfirm={async () => {
              await answered(client.DELETE('/v2/sip/routing-rule/{ruleId}', { params: { path } }));
              await navigate({ to: '/rules', ignoreBlocker: true });
            }}
          >
            {rule.type === 'outbound'
              ? 'No calls go out by it any longer; its numbers stay. A rule that an unfinished batch call or a call uses cannot be deleted.'
              : 'Calls to its numbers are no longer answered; the numbers stay. A rule that a call uses cannot be deleted.'}
          </Ask>
        )
      }
    >
      <Fresh query={query}>
        {(found) => (
          <Paper withBorder p="md" maw={760} component="section" aria-label="Settings">
            <Stack>
              {found.problem !== undefined && (
                <Alert color="red" role="alert" title="This rule does not work">
                  {found.problem}
                </Alert>
              )}
              {found.agentId !== undefined && (
                <Text size="sm">
                  <TextLink to="/agents/$agentId" params={{ agentId: found.agentId }}>
                    Open its agent
                  </TextLink>
                </Text>
              )}
              {!mayOperate && <Facts rule={found} />}
              {mayOperate && choices !== undefined && (
                <ResourceForm
                  key={ruleId}
                  groups={ruleGroups(found.type, choices)}
                  action="Save"
                  resource={found}
                  send={(body) =>
                    answered(
                      client.PATCH('/v2/sip/routing-rule/{ruleId}', {
                        params: { path },
                        body: body as Schemas['UpdateRoutingRule'],
                      }),
                    )
                  }
                />
              )}
            </Stack>
          </Paper>
        )}
      </Fresh>
    </Page>
  );
}
