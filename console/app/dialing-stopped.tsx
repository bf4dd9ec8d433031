import { Alert, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { answered, client } from '../api/client.js';
import { guardrailsQuery } from '../api/queries.js';
import { useMayOperate } from '../session/session.js';
import { Confirm } from '../ui/confirm.js';
import { Time } from '../ui/time.js';

/** On every page while all dialing is stopped, with the way back. */
export function DialingStopped() {
  const { data } = useQuery(guardrailsQuery);
  const [opened, { open, close }] = useDisclosure(false);
  const mayOperate = useMayOperate();
  return (
    <>
      {data?.dialingStopped === true && (
        <Alert color="red" role="alert" mb="md" title="All dialing is stopped">
          <Group justify="space-between">
            <Text size="sm">
              Since <Time at={data.dialingStoppedAt} />. Nothing is dialed, neither batch calls nor single ones.
            </Text>
            {mayOperate && (
              <Button color="red" variant="outline" onClick={open}>
                Resume all dialing
              </Button>
            )}
          </Group>
        </Alert>
      )}
      <Confirm
        opened={opened}
        onClose={close}
        title="Resume all dialing?"
        action="Resume all dialing"
        onConfirm={() => answered(client.POST('/v1/account/resume-dialing', { body: {} }))}
      >
        Running batch calls go on at once, as far as their windows and limits allow. Those that are paused for another
        reason stay paused.
      </Confirm>
    </>
  );
}
