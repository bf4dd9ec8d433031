import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { answered, client, type Schemas } from '../api/client.js';
import { Dialog } from '../ui/dialog.js';
import { problemAt } from '../ui/form/field.js';
import { useKey } from '../ui/key.js';
import { Problem } from '../ui/problem.js';
import { useUnsaved } from '../ui/unsaved.js';

type Permissions = NonNullable<Schemas['CreateApiKey']['permissions']>;

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly description: string;
  readonly permissions?: Permissions;
}

const choices: readonly Choice[] = [
  {
    value: 'read',
    label: 'Read',
    description: 'See everything except secrets, change nothing',
    permissions: ['read'],
  },
  {
    value: 'operate',
    label: 'Operate',
    description: 'Everything except changing guardrails and listening to calls',
    permissions: ['operate'],
  },
  {
    value: 'supervise',
    label: 'Supervise',
    description: 'Read, listen to live calls, and give instructions to their agents',
    permissions: ['read', 'listen'],
  },
  {
    value: 'guardrails',
    label: 'Guardrails',
    description: 'Read and change the guardrails alone',
    permissions: ['guardrails'],
  },
  {
    value: 'playground',
    label: 'Playground',
    description: 'Only what the playground page needs',
    permissions: ['playground'],
  },
  { value: '', label: 'Everything', description: 'All that your token may do' },
];

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onMade: (key: Schemas['CreatedApiKey']) => void;
}

/** Makes a key with what its tokens may do at most. */
export function NewKey({ opened, onClose, onMade }: Props) {
  const queries = useQueryClient();
  const { keyFor, renew } = useKey();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState('read');
  const making = useMutation({
    mutationFn: () => {
      const permissions = choices.find(({ value }) => value === chosen)?.permissions;
      const body: Schemas['CreateApiKey'] = { name, ...(permissions === undefined ? {} : { permissions }) };
      const params = { header: { 'idempotency-key': keyFor(JSON.stringify(body)) } };
      return answered(client.POST('/v1/account/keys', { body, params }));
    },
    onSuccess: async (key) => {
      renew();
      setName('');
      onMade(key);
      await queries.invalidateQueries();
    },
  });
  useUnsaved(opened && name !== '');
  const { error, isPending } = making;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isPending) making.mutate();
  };
  return (
    <Dialog opened={opened} onClose={onClose} title="New API key">
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label="What it is for"
            value={name}
            error={problemAt(error, 'name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Radio.Group label="Its tokens may" value={chosen} onChange={setChosen}>
            <Stack gap="xs" mt={4}>
              {choices.map(({ value, label, description }) => (
                <Radio key={value} value={value} label={label} description={description} />
              ))}
            </Stack>
          </Radio.Group>
          <Problem error={error} title="No key was created" shownAtFields={['name']} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Back
            </Button>
            <Button type="submit" loading={isPending}>
              Create key
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
