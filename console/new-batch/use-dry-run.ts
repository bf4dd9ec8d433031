import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { tryBatchCall } from '../api/new-batch.js';
import { type Draft, formOf, hasRecipients, judgedContentOf } from './draft.js';

/** How long nothing is typed before it is tried out. */
const pauseMs = 500;

/** What the API says the draft would do, asked for again with each change of it. */
export function useDryRun(draft: Draft) {
  const [settled] = useDebouncedValue(draft, pauseMs);
  const isReady = hasRecipients(settled) && settled.phoneNumber !== '';
  const content = judgedContentOf(settled);
  const query = useQuery({
    queryKey: ['dry-run', content],
    enabled: isReady,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    // What is shown must hold at this moment: hours open, lists grow.
    refetchOnWindowFocus: 'always',
    queryFn: ({ signal }) => tryBatchCall(formOf(settled), signal),
  });
  const isSettled = judgedContentOf(draft) === content;
  return {
    report: isReady ? query.data : undefined,
    error: isSettled && !query.isPlaceholderData ? query.error : null,
    /** Whether the report is about what stands on the page now. */
    isCurrent: isReady && isSettled && query.isSuccess && !query.isPlaceholderData,
    isChecking: isReady && (query.isFetching || !isSettled),
    checkAgain: () => void query.refetch(),
  };
}
