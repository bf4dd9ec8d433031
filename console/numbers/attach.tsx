import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeGateway, type Direction, gatewaysQuery, getGateway } from '../api/telephony.js';
import { Problem } from '../ui/problem.js';

interface Props {
  readonly number: string;
  readonly direction: Direction;
}

/** Gives a number that has none a gateway of the account. */
export function Attach({ number, direction }: Props) {
  const { data } = useQuery(gatewaysQuery(direction, { page: 1, perPage: 100 }));
  const queries = useQueryClient();
  const [chosen, setChosen] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      // The list of numbers is replaced: it is read just before, so that what others have added meanwhile stays.
      const { numbers } = await getGateway(chosen);
      await changeGateway(chosen, { numbers: [...numbers, number] });
    },
    onSuccess: () => queries.invalidateQueries(),
  });
  const gateways = data?.data ?? [];
  const way = direction === 'outbound' ? 'go out' : 'come in';
  if (data !== undefined && gateways.length === 0) return <Text size="sm">There is no {direction} gateway.</Text>;
  return (
    <Stack gap="xs">
      <Group align="end" gap="xs">
        <NativeSelect
          label={`Gateway for calls that ${way}`}
          value={chosen}
          data={[
            { value: '', label: 'Choose a gateway' },
            ...gateways.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        <Button disabled={chosen === ''} loading={isPending} onClick={() => mutate()}>
          Attach
        </Button>
      </Group>
      <Problem error={error} title="The number was not attached" />
    </Stack>
  );
}
