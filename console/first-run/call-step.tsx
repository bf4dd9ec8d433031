import { Button, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { Schemas } from '../api/client.js';
import { useKey } from '../ui/key.js';
import { placeCall } from '../api/new-batch.js';
import { Confirm } from '../ui/confirm.js';

/** Calls the user's own telephone, once that is confirmed. */
export function CallStep({ rule }: { readonly rule: Schemas['RoutingRule'] | undefined }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [own, setOwn] = useState('');
  const { keyFor, renew } = useKey();
  const to = own.replaceAll(/[\s()./-]/g, '');
  const from = rule?.phoneNumbers[0];
  if (rule === undefined || from === undefined) return null;
  const place = async () => {
    const body = { sipCallTo: to, sipCallFrom: from, routingRuleId: rule.id, metadata: { first_name: 'you' } };
    await placeCall(body, keyFor(JSON.stringify(body)));
    renew();
  };
  return (
    <Stack gap="sm" align="start">
      <TextInput
        label="My own telephone"
        type="tel"
        autoComplete="tel"
        placeholder="+14155550123"
        value={own}
        onChange={(event) => setOwn(event.currentTarget.value)}
      />
      <Button disabled={to === ''} onClick={open}>
        Call my telephone
      </Button>
      <Confirm opened={opened} onClose={close} title={`Call ${to} now?`} action="Call now" onConfirm={place}>
        {`${from} calls ${to} once, right away, and the agent speaks.`}
      </Confirm>
    </Stack>
  );
}
