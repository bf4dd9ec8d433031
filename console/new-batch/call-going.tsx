import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callQuery } from '../api/call.js';
import { Fresh } from '../ui/fresh.js';
import { Simulated, Status } from '../ui/status.js';
import { lasting } from './words.js';

/** How a call goes, until it is over. */
export function CallGoing({ callId }: { readonly callId: string }) {
  return (
    <Fresh query={useQuery(callQuery(callId))}>
      {({ data: { status, to, reason, duration, simulated } }) => (
        <Text size="sm" role="status">
          The call to {to}: <Status status={status} /> {simulated && <Simulated />}
          {duration === undefined ? '' : ` after ${lasting(duration)}`}
          {reason === undefined ? '' : ` (${reason.replaceAll('_', ' ')})`}
        </Text>
      )}
    </Fresh>
  );
}
