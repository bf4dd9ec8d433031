import { Alert, Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { answered, client } from '../api/client.js';
import { Problem } from '../ui/problem.js';
import { sipSaid } from '../ui/sip.js';
import { figure } from '../ui/words.js';

/** Asks the trunk whether it answers, and says what came back. */
export function Check({ gatewayId }: { readonly gatewayId: string }) {
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () =>
      answered(client.POST('/v2/sip/phone-numbers/gateways/{gatewayId}/check', { params: { path: { gatewayId } } })),
  });
  return (
    <Stack gap="xs" align="start">
      <Button variant="default" loading={isPending} onClick={() => mutate()}>
        Check whether it answers
      </Button>
      <Problem error={error} title="The trunk could not be asked" />
      {data !== undefined && (
        <Alert
          color={data.reachable ? 'outdial' : 'red'}
          role="status"
          title={data.reachable ? 'It answers' : 'It does not answer'}
        >
          {data.message}
          {data.statusCode === undefined ? '' : ` SIP ${sipSaid(data.statusCode)}.`}
          {data.milliseconds === undefined ? '' : ` After ${figure(Math.round(data.milliseconds))} ms.`}
        </Alert>
      )}
    </Stack>
  );
}
