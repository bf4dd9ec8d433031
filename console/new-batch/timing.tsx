import { Group, Paper, Radio, Stack, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { windowSaid } from '../batch/said.js';
import { defaultsQuery } from '../api/new-batch.js';
import { WindowFields } from '../ui/window-fields.js';
import { Zones, zonesId } from '../ui/zones.js';
import type { SectionProps } from './draft.js';

/** When the batch call begins. */
function Start({ draft, change, problemAt }: SectionProps) {
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Start"
        value={draft.isScheduled ? 'later' : 'now'}
        onChange={(value) => change({ isScheduled: value === 'later' })}
      >
        <Group mt={4}>
          <Radio value="now" label="As soon as the file has been read" />
          <Radio value="later" label="At a time" />
        </Group>
      </Radio.Group>
      {draft.isScheduled && (
        <Group align="start" gap="sm">
          <TextInput
            label="Date"
            type="date"
            value={draft.date}
            error={problemAt('schedule.date')}
            onChange={(event) => change({ date: event.currentTarget.value })}
          />
          <TextInput
            label="Time"
            type="time"
            value={draft.time}
            error={problemAt('schedule.time')}
            onChange={(event) => change({ time: event.currentTarget.value })}
          />
          <TextInput
            label="By the clocks of"
            list={zonesId}
            value={draft.timezone}
            error={problemAt('schedule.timezone')}
            onChange={(event) => change({ timezone: event.currentTarget.value })}
          />
        </Group>
      )}
    </Stack>
  );
}

/** Hours in which calls may start. */
function CallingWindow({ draft, change, problems }: SectionProps) {
  const defaults = useQuery(defaultsQuery);
  const ofAccount = defaults.data?.callingWindow;
  return (
    <WindowFields
      values={draft}
      problems={problems}
      zone={draft.timezone}
      otherwise={
        ofAccount === undefined
          ? 'Otherwise at any hour that the guardrails of the account allow'
          : `Otherwise in those of the account: ${windowSaid(ofAccount)}`
      }
      onChange={change}
    />
  );
}

/** When calls may be made. */
export const Timing = (props: SectionProps) => (
  <Paper withBorder p="md" component="section" aria-labelledby="timing">
    <Title order={2} size="h4" id="timing" mb="xs">
      When
    </Title>
    <Zones />
    <Stack>
      <Start {...props} />
      <CallingWindow {...props} />
    </Stack>
  </Paper>
);
