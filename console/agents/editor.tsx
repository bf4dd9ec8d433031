import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { choicesQuery } from '../api/agents.js';
import { pathsShown } from '../ui/form/field.js';
import { Fresh } from '../ui/fresh.js';
import { useKey } from '../ui/key.js';
import { Problem } from '../ui/problem.js';
import { useUnsaved } from '../ui/unsaved.js';
import { ConfigForm } from './config-form.js';
import { ConfigJson } from './config-json.js';
import { configGroups } from './fields.js';

interface Props {
  readonly config: unknown;
  readonly mode: 'form' | 'json';
  readonly action: string;
  /** Whether it makes another version of an agent that is there, which can be named. */
  readonly isVersion?: boolean;
  /** Sends it. Rejects with what the API says. */
  readonly send: (config: object, versionName: string, key: string) => Promise<unknown>;
}

/** The form and the JSON are views of one editor. */
const isConfigView = (search: object) => !('view' in search) || search.view === undefined || search.view === 'json';

/** A config that is changed as fields or as JSON, whichever is at hand: both show the same one. */
export function Editor({ config: first, mode, action, isVersion = false, send }: Props) {
  const choices = useQuery(choicesQuery);
  const queries = useQueryClient();
  const { keyFor, renew } = useKey();
  const [saved, setSaved] = useState(first);
  const [config, setConfig] = useState(first);
  const [unreadable, setUnreadable] = useState(false);
  const [versionName, setVersionName] = useState('');
  const isChanged = JSON.stringify(config) !== JSON.stringify(saved);
  useUnsaved(isChanged || unreadable || versionName !== '', unreadable ? undefined : isConfigView);
  const sending = useMutation({
    mutationFn: () => send(config as object, versionName, keyFor(JSON.stringify([config, versionName]))),
    onSuccess: async () => {
      renew();
      setSaved(config);
      setVersionName('');
      await queries.invalidateQueries();
    },
  });
  const { error, isPending } = sending;
  const canSend = (isChanged || !isVersion) && !unreadable;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isPending && canSend) sending.mutate();
  };
  return (
    <Fresh query={choices}>
      {(known) => {
        const fields = mode === 'json' ? [] : configGroups(config, known).flatMap((group) => group.fields);
        return (
          <form onSubmit={submit} noValidate>
            <Stack>
              {mode === 'form' ? (
                <ConfigForm config={config} choices={known} error={error} onConfig={setConfig} />
              ) : (
                <ConfigJson
                  config={config}
                  onConfig={(next, words) => {
                    setConfig(next);
                    setUnreadable(words !== undefined);
                  }}
                />
              )}
              <Problem error={error} title="This was not saved" shownAtFields={pathsShown(error, fields)} />
              <Group justify="flex-end" align="end">
                {isVersion && (
                  <TextInput
                    label="What has changed"
                    placeholder="Updated via API"
                    value={versionName}
                    onChange={(event) => setVersionName(event.currentTarget.value)}
                  />
                )}
                <Button type="submit" disabled={!canSend} loading={isPending}>
                  {action}
                </Button>
              </Group>
              {isVersion && sending.isSuccess && !isChanged && (
                <Text role="status" size="sm">
                  Saved as a new version. Calls get it once it is deployed.
                </Text>
              )}
            </Stack>
          </form>
        );
      }}
    </Fresh>
  );
}
