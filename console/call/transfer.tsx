import { Group, List, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/client.js';
import { answered, client } from '../api/client.js';
import { useMayOperate } from '../session/session.js';
import { Ask } from '../ui/ask.js';
import { Part } from '../ui/part.js';
import { Time } from '../ui/time.js';

type Call = Schemas['CallDetail'];
type Transfer = NonNullable<Call['transfers']>[number];
type Mode = Transfer['mode'];

const labels: Readonly<Record<Mode, string>> = { warm: 'Warm: the agent asks first', cold: 'Cold: at once' };

/** What each mode does with the person on the line. */
function whatHappens(mode: Mode, { type, to }: Call): string {
  const [person, gateway] =
    type === 'inbound' ? ['caller', `outbound gateway of ${to}`] : ['callee', 'gateway of this call'];
  return mode === 'warm'
    ? `The ${person} waits on hold. The number is called over the ${gateway}, the agent says what it is about, and both are ` +
        `joined if the call is taken. If not, the agent comes back to the ${person}.`
    : `The carrier connects the ${person} to the target, and the agent leaves. If the carrier refuses, the agent goes on.`;
}

const statuses: Readonly<Record<Transfer['status'], string>> = {
  'under-way': 'under way',
  transferred: 'taken',
  failed: 'not taken',
};

/** Hands a live call over to somebody else. */
function HandOver({ call }: { readonly call: Call }) {
  const { id, agentId } = call;
  // Callers may wait in a room without an agent: nobody could speak with the target.
  const offered: readonly Mode[] = agentId === undefined ? ['cold'] : ['warm', 'cold'];
  const [transferTo, setTransferTo] = useState('');
  const [mode, setMode] = useState<Mode>(offered[0] ?? 'cold');
  const transfer = () =>
    answered(
      client.POST('/v2/sip/call/transfer', { body: { callId: id, transferTo: transferTo.replaceAll(' ', ''), mode } }),
    );
  return (
    <Group>
      <Ask label="Transfer" title="Transfer this call?" action="Transfer it" onConfirm={transfer}>
        <Stack>
          <TextInput
            label="To"
            description={mode === 'warm' ? 'A number with the +' : 'A number with the +, or a sip: address'}
            placeholder="+14155550109"
            autoComplete="off"
            data-autofocus
            value={transferTo}
            onChange={(event) => setTransferTo(event.currentTarget.value)}
          />
          <Radio.Group label="How" value={mode} onChange={setMode}>
            <Stack gap="xs" mt="xs">
              {offered.map((each) => (
                <Radio key={each} value={each} label={labels[each]} description={whatHappens(each, call)} />
              ))}
            </Stack>
          </Radio.Group>
        </Stack>
      </Ask>
    </Group>
  );
}

const Told = ({ transfer: { mode, to, status, message, requestedAt } }: { readonly transfer: Transfer }) => (
  <Text size="sm">
    {mode} to {to}, <Time at={requestedAt} />: {statuses[status]}
    {message === undefined ? '' : `, ${message}`}
  </Text>
);

/** What became of handing the call over, and the button for it while the call goes on. */
export function Transfers({ call }: { readonly call: Call }) {
  const { status, transfers = [] } = call;
  const isOffered = useMayOperate() && status === 'answered';
  if (!isOffered && transfers.length === 0) return null;
  return (
    <Part id="transfers" title="Transfers">
      <Stack gap="sm">
        {transfers.length > 0 && (
          <List listStyleType="none" aria-label="Transfers of this call">
            {transfers.map((transfer, index) => (
              <List.Item key={index}>
                <Told transfer={transfer} />
              </List.Item>
            ))}
          </List>
        )}
        {isOffered && <HandOver call={call} />}
      </Stack>
    </Part>
  );
}
