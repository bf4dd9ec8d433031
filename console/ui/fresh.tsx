import { Alert, Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { wordsOf } from '../api/refused.js';
import { Problem } from './problem.js';
import { Time } from './time.js';

interface Props<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** The shape of what is not there yet. */
export const Loading = () => (
  <Stack role="status" aria-label="Loading">
    <Skeleton height={28} width="60%" />
    <Skeleton height={120} />
  </Stack>
);

/** An answer of the API as it comes: first its shape, then what it says, and a notice if it is not up to date. */
export function Fresh<Data>({ query, children }: Props<Data>) {
  const { data, error, isPending, dataUpdatedAt } = query;
  if (isPending) return <Loading />;
  if (data === undefined) return <Problem error={error} title="This could not be loaded" />;
  return (
    <>
      {error !== null && (
        <Alert color="yellow" role="status" title="Not up to date" mb="md">
          Last updated at <Time at={new Date(dataUpdatedAt).toISOString()} />. {wordsOf(error)}
        </Alert>
      )}
      {children(data)}
    </>
  );
}
