import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useKey } from '../key.js';
import { Problem } from '../problem.js';
import { useUnsaved } from '../unsaved.js';
import { bodyOf, changeOf, type Draft, draftOf, pathsShown } from './field.js';
import { type FieldGroup, FieldGroups } from './field-groups.js';

interface Props<Resource> {
  readonly groups: readonly FieldGroup[];
  /** What the button says. */
  readonly action: string;
  /** What is changed; omitted: something new is made. */
  readonly resource?: Resource;
  /** Whether all of it is sent for a change, as PUT takes it. */
  readonly isReplaced?: boolean;
  /** What a new one holds before anything is typed. */
  readonly proposed?: unknown;
  /**
   * Sends it: all that the fields hold for something new, otherwise what differs. Rejects with what the API says.
   *
   * @param key the same for the same content, until it was taken
   */
  readonly send: (body: unknown, key: string) => Promise<Resource>;
  /** Called once it was taken. */
  readonly onDone?: (answer: Resource) => void;
}

/** Fields and the button that sends them; what the API finds wrong stands at the fields, all at once. */
export function ResourceForm<Resource>(props: Props<Resource>) {
  const { groups, action, resource, isReplaced = false, proposed, send, onDone } = props;
  const fields = groups.flatMap((group) => group.fields);
  const isNew = resource === undefined;
  const queries = useQueryClient();
  const { keyFor, renew } = useKey();
  const [saved, setSaved] = useState<Draft>(() => draftOf(fields, resource ?? proposed));
  const [draft, setDraft] = useState(saved);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  useUnsaved(isChanged);
  const sending = useMutation({
    mutationFn: async () => {
      const body = isNew || isReplaced ? bodyOf(fields, draft) : changeOf(fields, saved, draft);
      return send(body, keyFor(JSON.stringify(body)));
    },
    onSuccess: async (answer) => {
      renew();
      if (!isNew) {
        const next = draftOf(fields, answer);
        setSaved(next);
        setDraft(next);
      }
      await queries.invalidateQueries();
      onDone?.(answer);
    },
  });
  const { error, isPending } = sending;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isPending && (isNew || isChanged)) sending.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FieldGroups
          groups={groups}
          draft={draft}
          error={error}
          onChange={(path, value) => setDraft((before) => ({ ...before, [path]: value }))}
        />
        <Problem
          error={error}
          title={isNew ? 'Nothing was created' : 'Nothing was changed'}
          shownAtFields={pathsShown(error, fields)}
        />
        <Group justify="flex-end">
          {sending.isSuccess && !isChanged && !isNew && <Text role="status">Saved.</Text>}
          {!isNew && (
            <Button variant="default" disabled={!isChanged} onClick={() => setDraft(saved)}>
              Undo
            </Button>
          )}
          <Button type="submit" disabled={!isNew && !isChanged} loading={isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
