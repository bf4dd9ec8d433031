import { Button, Group, NativeSelect, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, client, type Schemas } from '../api/client.js';
import { outboundRulesQuery } from '../api/new-batch.js';
import { bareNumber } from '../api/people.js';
import { Problem } from '../ui/problem.js';
import { Time } from '../ui/time.js';
import { spoken } from '../ui/words.js';

/** Why a number may not be called, in words. */
const whyNot: Readonly<Record<string, string>> = {
  do_not_call: 'it is on the do-not-call list',
  country_not_allowed: 'its country is not among those that may be called',
  premium_rate_number: 'it is a premium-rate number',
  satellite_number: 'it is a satellite number',
  calling_hours: 'no hour is open in all time zones that it may be in',
  calling_window: 'the calling window that batch calls of the account have is closed for it',
  guardrail_hours: 'the calling hours are closed for it',
  daily_limit: 'it has had all its attempts of the day',
};

/** What the dry run of a batch call to this one number says. */
function Verdict({ number, report }: { readonly number: string; readonly report: Schemas['BatchCallReport'] }) {
  const [rejected] = report.rejected;
  const [held] = report.heldBack;
  const call = `A call to ${number} now: `;
  if (report.dialingStopped) return <>{call}no, because all dialing is stopped.</>;
  const why = whyNot[held?.reason ?? rejected?.reason ?? ''];
  if (why !== undefined) {
    return (
      <>
        {call}no, because {why}.
        {typeof held?.until === 'string' && (
          <>
            {' '}
            It can be called from <Time at={held.until} /> on.
          </>
        )}
      </>
    );
  }
  if (rejected !== undefined) return <>{`${call}no. ${rejected.message}`}</>;
  if (held !== undefined) return <>{`${call}no: ${spoken(held.reason)}.`}</>;
  return <>{call}yes.</>;
}

/** Says of one number whether it may be called at this moment, and why not: by a dry run, which calls nobody. */
export function CheckNumber() {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState('');
  const rules = useQuery(outboundRulesQuery('')).data?.data ?? [];
  const lines = rules.flatMap(({ id, name, phoneNumbers }) =>
    phoneNumbers.map((phoneNumber) => ({ key: `${phoneNumber} ${id}`, id, name, phoneNumber })),
  );
  const line = lines.find(({ key }) => key === chosen) ?? lines[0];
  const number = bareNumber(typed);
  const asking = useMutation({
    mutationFn: async (asked: string) => {
      if (line === undefined) throw new Error('There is no number to call from.');
      const report = await answered(
        client.POST('/v1/batch-calls/validate', {
          body: {
            ...{ name: 'Check a number', phoneNumber: line.phoneNumber, routingRuleId: line.id },
            ...{ unfilledPlaceholders: 'allow', recipients: [{ phoneNumber: asked }] },
          },
        }),
      );
      return { number: asked, report };
    },
  });
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="check">
      <Title order={2} size="h4" id="check" mb="xs">
        May a number be called now?
      </Title>
      {line === undefined ? (
        <Text c="dimmed">There is no number to call from yet, so there is no call to check.</Text>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (number !== '' && !asking.isPending) asking.mutate(number);
          }}
        >
          <Stack gap="sm">
            <TextInput
              label="Number to call"
              type="tel"
              placeholder="+13125550123"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <NativeSelect
              label="Called from"
              value={line.key}
              data={lines.map(({ key, name, phoneNumber }) => ({ value: key, label: `${phoneNumber}, ${name}` }))}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
            <Group>
              <Button type="submit" variant="default" disabled={number === ''} loading={asking.isPending}>
                Ask
              </Button>
            </Group>
            <Problem error={asking.error} title="This could not be checked" />
            {asking.data !== undefined && (
              <Text role="status" fw={600}>
                <Verdict {...asking.data} />
              </Text>
            )}
            <Text size="sm" c="dimmed">
              This checks the saved guardrails, the do-not-call list and the calls of today. No one is called.
            </Text>
          </Stack>
        </form>
      )}
    </Paper>
  );
}
