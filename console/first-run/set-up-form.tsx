import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { Refused } from '../api/refused.js';
import { Problem } from '../ui/problem.js';
import { useUnsaved } from '../ui/unsaved.js';

interface Props {
  /** What the button says. */
  readonly action: string;
  /** Makes it. Rejects with what the API says. */
  readonly send: () => Promise<unknown>;
  /** Paths of the request that have a field here. */
  readonly paths?: readonly string[];
  readonly children?: (problemAt: (path: string) => string | undefined) => ReactNode;
}

/** Fields of a step and the button that carries it out; what the API finds wrong stands at the fields. */
export function SetUpForm({ action, send, paths = [], children }: Props) {
  const queries = useQueryClient();
  const [isTyped, setTyped] = useState(false);
  useUnsaved(isTyped);
  const { mutate, isPending, error } = useMutation({
    mutationFn: send,
    onSuccess: () => {
      setTyped(false);
      return queries.invalidateQueries();
    },
  });
  const problems = error instanceof Refused ? error.problems : [];
  const problemAt = (path: string) => problems.find((problem) => problem.path === path)?.message;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <form onSubmit={submit} onChange={() => setTyped(true)} noValidate>
      <Stack gap="sm">
        {children?.(problemAt)}
        <Problem error={error} title="Nothing was done" shownAtFields={paths} />
        <Group>
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
