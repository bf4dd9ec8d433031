import { Button, NativeSelect, Paper, Stack, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { placeCall } from '../api/new-batch.js';
import { Confirm } from '../ui/confirm.js';
import type { FirstCall } from './first-calls.js';
import { useKey } from '../ui/key.js';
import { CallGoing } from './call-going.js';

/** Row 3 is the second callee: whoever tries that one out sees that rows differ. */
const usualRow = 3;

interface Props {
  readonly calls: readonly FirstCall[];
  readonly phoneNumber: string;
  readonly routingRuleId: string;
}

/** Calls the user's own telephone as the agent would call a row of the file. */
export function TestCall({ calls, phoneNumber, routingRuleId }: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  const [own, setOwn] = useState('');
  const [chosen, setChosen] = useState<number | null>(null);
  const [callId, setCallId] = useState<string | null>(null);
  const { keyFor, renew } = useKey();
  const call = calls.find(({ row }) => row === (chosen ?? usualRow)) ?? calls[0];
  if (call === undefined) return null;
  const to = own.replaceAll(/[\s()./-]/g, '');
  const place = async () => {
    const body = { sipCallTo: to, sipCallFrom: phoneNumber, routingRuleId, metadata: { ...call.metadata } };
    const { data } = await placeCall(body, keyFor(JSON.stringify(body)));
    setCallId(data.id);
    renew();
  };
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="test-call">
      <Title order={2} size="h4" id="test-call" mb="xs">
        Hear it first
      </Title>
      <Stack gap="sm" align="start">
        <NativeSelect
          label="Call me as"
          value={String(call.row)}
          data={calls.map(({ row, value }) => ({ value: String(row), label: `row ${row}: ${value.trim()}` }))}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
        />
        <TextInput
          label="My own telephone"
          placeholder="+14155550123"
          type="tel"
          autoComplete="tel"
          value={own}
          onChange={(event) => setOwn(event.currentTarget.value)}
        />
        <Button variant="default" disabled={to === ''} onClick={open}>
          Call my telephone with row {call.row}
        </Button>
        {callId !== null && <CallGoing callId={callId} />}
      </Stack>
      <Confirm opened={opened} onClose={close} title={`Call ${to} now?`} action="Call now" onConfirm={place}>
        {`${phoneNumber} calls ${to} once, right away. The agent speaks as it would to row ${call.row}, with its data. The callee of that row is not called.`}
      </Confirm>
    </Paper>
  );
}
