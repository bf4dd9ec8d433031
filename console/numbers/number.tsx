import { List, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answered, client, type Schemas } from '../api/client.js';
import { answersQuery, numberQuery, rulesQuery } from '../api/telephony.js';
import { AnswersByNumber } from '../gateways/state.js';
import { useMayOperate } from '../session/session.js';
import { Ask } from '../ui/ask.js';
import { FactList } from '../ui/fact-list.js';
import { Fresh } from '../ui/fresh.js';
import { TextLink } from '../ui/link.js';
import { Page } from '../ui/page.js';
import { Time } from '../ui/time.js';
import { Attach } from './attach.js';
import { GatewayOrNone } from './gateway-or-none.js';
import { NumberSettings } from './settings.js';

const route = getRouteApi('/numbers/$phoneNumberId');

function Rules({ number }: { readonly number: string }) {
  const query = useQuery(rulesQuery({ search: number, page: 1, perPage: 100 }));
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="rules">
      <Title order={2} size="h4" id="rules" mb="xs">
        Routing rules
      </Title>
      <Fresh query={query}>
        {({ data }) => {
          const own = data.filter(({ phoneNumbers }) => phoneNumbers.includes(number));
          if (own.length === 0) return <Text c="dimmed">No rule says which agent takes its calls.</Text>;
          return (
            <List size="sm">
              {own.map(({ id, name, type }) => (
                <List.Item key={id}>
                  <TextLink to="/rules/$ruleId" params={{ ruleId: id }}>
                    {name}
                  </TextLink>
                  , for calls that {type === 'outbound' ? 'go out' : 'come in'}
                </List.Item>
              ))}
            </List>
          );
        }}
      </Fresh>
    </Paper>
  );
}

function Steer({
  found,
  onReleased,
}: {
  readonly found: Schemas['PhoneNumber'];
  readonly onReleased: () => Promise<void>;
}) {
  const { e164, phoneNumberId } = found.phoneNumber;
  return (
    <>
      {(found.inbound !== null || found.outbound !== null) && (
        <Ask
          label="Detach"
          title={`Detach ${e164}?`}
          action="Detach this number"
          onConfirm={() => answered(client.POST('/v2/sip/phone-numbers/detach', { body: { phoneNumber: e164 } }))}
        >
          It is taken off its gateways and stays on the account. A gateway that was made by registering numbers is
          deleted with the last of them. A number that an unfinished batch call calls from cannot be detached.
        </Ask>
      )}
      <Ask
        label="Release"
        title={`Take ${e164} off the account?`}
        action="Release this number"
        typed="release"
        isDangerous
        onConfirm={async () => {
          const params = { path: { phoneNumberId } };
          await answered(client.POST('/v2/sip/phone-numbers/{phoneNumberId}/release', { params }));
          await onReleased();
        }}
      >
        It is taken off its gateways and off the account; its past calls stay. A number that a rule or an unfinished
        batch call uses cannot be released.
      </Ask>
    </>
  );
}

/** One number: by which ways calls go out and come in, how often it may call, its rules, and how many answer it. */
export function NumberPage() {
  const { phoneNumberId } = route.useParams();
  const navigate = route.useNavigate();
  const mayOperate = useMayOperate();
  const query = useQuery(numberQuery(phoneNumberId));
  const { data: stats } = useQuery(answersQuery);
  const found = query.data;
  return (
    <Page
      title={found?.phoneNumber.e164 ?? 'Number'}
      requests={[{ path: `/v2/sip/phone-numbers/${encodeURIComponent(phoneNumberId)}` }]}
      actions={
        mayOperate &&
        found !== undefined && (
          <Steer found={found} onReleased={() => navigate({ to: '/numbers', ignoreBlocker: true })} />
        )
      }
    >
      <Fresh query={query}>
        {({ phoneNumber, phoneNumber: { e164, name, countryCode, createdAt }, inbound, outbound }) => (
          <Stack gap="lg">
            <Paper withBorder p="md" component="section" aria-labelledby="ways">
              <Title order={2} size="h4" id="ways" mb="xs">
                Its gateways
              </Title>
              <FactList
                facts={[
                  { name: 'Name', said: name },
                  { name: 'Country', said: countryCode ?? '–' },
                  { name: 'Registered', said: <Time at={createdAt} /> },
                  { name: 'Outbound gateway', said: <GatewayOrNone gateway={outbound} /> },
                  { name: 'Inbound gateway', said: <GatewayOrNone gateway={inbound} /> },
                ]}
              />
              {mayOperate && (
                <Stack gap="sm" mt="md">
                  {outbound === null && <Attach number={e164} direction="outbound" />}
                  {inbound === null && <Attach number={e164} direction="inbound" />}
                </Stack>
              )}
            </Paper>
            <NumberSettings number={phoneNumber} />
            <Rules number={e164} />
            {stats !== undefined && <AnswersByNumber numbers={[e164]} stats={stats} />}
          </Stack>
        )}
      </Fresh>
    </Page>
  );
}
