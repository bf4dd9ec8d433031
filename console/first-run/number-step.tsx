import { Group, NativeSelect, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answered, client, type Schemas } from '../api/client.js';
import { useKey } from '../ui/key.js';
import { SetUpForm } from './set-up-form.js';

const paths = ['phoneNumbers[0]', 'outbound.address', 'outbound.auth.username', 'outbound.auth.password'];
const transports = ['tls', 'tcp', 'udp'] as const;

/** Registers a number of the carrier's trunk, with the gateway that calls go out by. */
function NewNumber() {
  const [number, setNumber] = useState('');
  const [address, setAddress] = useState('');
  const [transport, setTransport] = useState<(typeof transports)[number]>('tls');
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const { keyFor } = useKey();
  const send = () => {
    const phoneNumber = number.replaceAll(/[\s()./-]/g, '');
    const auth = username === '' && password === '' ? {} : { auth: { username, password } };
    const body = {
      ...{ name: phoneNumber === '' ? 'Number' : phoneNumber, phoneNumbers: [phoneNumber], isShared: true },
      ...{ mediaEncryption: 'disable' as const, inbound: { sipRegion: 'auto' } },
      outbound: { address: address.trim(), transport, sipRegion: 'auto', ...auth },
    };
    const header = { 'idempotency-key': keyFor(JSON.stringify(body)) };
    return answered(client.POST('/v2/sip/phone-numbers', { body, params: { header } }));
  };
  return (
    <SetUpForm action="Register number" send={send} paths={paths}>
      {(problemAt) => (
        <>
          <TextInput
            label="Number of your carrier’s trunk"
            type="tel"
            placeholder="+14155550100"
            value={number}
            error={problemAt('phoneNumbers[0]')}
            onChange={(event) => setNumber(event.currentTarget.value)}
          />
          <Group align="start" gap="sm">
            <TextInput
              label="Address of the trunk"
              placeholder="sip.example.com"
              value={address}
              error={problemAt('outbound.address')}
              onChange={(event) => setAddress(event.currentTarget.value)}
            />
            <NativeSelect
              label="Transport"
              value={transport}
              data={transports}
              onChange={(event) => {
                const chosen = event.currentTarget.value;
                setTransport(transports.find((each) => each === chosen) ?? transport);
              }}
            />
          </Group>
          <Group align="start" gap="sm">
            <TextInput
              label="User name of the trunk"
              description="If empty, the trunk knows us by our address"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              autoComplete="off"
              value={username}
              error={problemAt('outbound.auth.username')}
              onChange={(event) => setUsername(event.currentTarget.value)}
            />
            <PasswordInput
              label="Password of the trunk"
              autoComplete="new-password"
              value={password}
              error={problemAt('outbound.auth.password')}
              visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
          </Group>
        </>
      )}
    </SetUpForm>
  );
}

/** What a rule does unless it is told otherwise. */
const plainRule = {
  ...{
    agentMetadata: {},
    room: { type: 'dynamic' as const, prefix: 'blank' as const },
    includeHeaders: 'NONE' as const,
    headers: {},
  },
  ...{ headersToAttributes: {}, allowedNumbers: [], allowedIpAddresses: [], tags: [] },
  ...{ recording: false, dtmf: false, noiseCancellation: false, hidePhoneNumber: false },
};

interface Props {
  /** Numbers that calls can be made from. */
  readonly numbers: readonly Schemas['PhoneNumber'][];
  /** Agents that are live. */
  readonly agents: readonly Schemas['Agent'][];
}

/** A number, and the rule by which an agent calls from it. */
export function NumberStep({ numbers, agents }: Props) {
  const { keyFor } = useKey();
  const number = numbers[0]?.phoneNumber.e164;
  const agent = agents[0];
  if (number === undefined) return <NewNumber />;
  if (agent === undefined) return <Text size="sm">{number} is there. It needs an agent that is live.</Text>;
  const send = () => {
    const body = {
      ...{ name: `${agent.name} calls`, type: 'outbound' as const, phoneNumbers: [number], agentId: agent.agentId },
      ...plainRule,
    };
    const header = { 'idempotency-key': keyFor(JSON.stringify(body)) };
    return answered(client.POST('/v2/sip/routing-rule', { body, params: { header } }));
  };
  return (
    <SetUpForm action={`Let ${agent.name} call from ${number}`} send={send}>
      {() => <Text size="sm">{number} is there. A routing rule says which agent calls from it.</Text>}
    </SetUpForm>
  );
}
