import { Checkbox, Group, Paper, Radio, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { windowSaid } from '../batch/said.js';
import { defaultsQuery } from '../api/new-batch.js';
import type { SectionProps } from './draft.js';

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** IANA names, for a field that names a zone by `list`. */
export const zonesId = 'time-zones';

/** The names that fields offer. */
export const Zones = () => (
  <datalist id={zonesId}>
    {Intl.supportedValuesOf('timeZone').map((zone) => (
      <option key={zone} value={zone} />
    ))}
  </datalist>
);

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
function CallingWindow({ draft, change, problemAt }: SectionProps) {
  const defaults = useQuery(defaultsQuery);
  const ofAccount = defaults.data?.callingWindow;
  const isByCallee = draft.windowZone === 'recipient';
  return (
    <Stack gap="sm">
      <Checkbox
        label="Call only in these hours"
        description={
          ofAccount === undefined
            ? 'Otherwise at any hour that the guardrails of the account allow'
            : `Otherwise in those of the account: ${windowSaid(ofAccount)}`
        }
        checked={draft.hasWindow}
        onChange={(event) => change({ hasWindow: event.currentTarget.checked })}
      />
      {draft.hasWindow && (
        <>
          <Group align="start" gap="sm">
            <TextInput
              label="From"
              type="time"
              value={draft.from}
              error={problemAt('callingWindow.from')}
              onChange={(event) => change({ from: event.currentTarget.value })}
            />
            <TextInput
              label="Until"
              description={draft.until !== '24:00' && draft.until < draft.from ? 'On the next day' : undefined}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={draft.until}
              placeholder="20:00, up to 24:00"
              error={problemAt('callingWindow.until')}
              onChange={(event) => change({ until: event.currentTarget.value })}
            />
          </Group>
          <Checkbox.Group
            label="On"
            value={draft.days.map(String)}
            error={problemAt('callingWindow.daysOfWeek')}
            onChange={(chosen) => change({ days: chosen.map(Number).sort((a, b) => a - b) })}
          >
            <Group gap="sm" mt={4}>
              {days.map((label, index) => (
                <Checkbox key={label} label={label} value={String(index + 1)} />
              ))}
            </Group>
          </Checkbox.Group>
          <Radio.Group
            label="By whose clock"
            value={isByCallee ? 'recipient' : 'zone'}
            onChange={(value) => change({ windowZone: value === 'recipient' ? 'recipient' : draft.timezone })}
          >
            <Stack gap={6} mt={4}>
              <Radio
                value="recipient"
                label="Each callee’s own"
                description="From a timezone column, else from the number; if several are possible, it must be open in all"
              />
              <Radio value="zone" label="One time zone for all" />
            </Stack>
          </Radio.Group>
          {isByCallee ? (
            problemAt('callingWindow.timezone') !== undefined && <Text>{problemAt('callingWindow.timezone')}</Text>
          ) : (
            <TextInput
              label="Time zone of the window"
              list={zonesId}
              value={draft.windowZone}
              error={problemAt('callingWindow.timezone')}
              onChange={(event) => change({ windowZone: event.currentTarget.value })}
            />
          )}
        </>
      )}
    </Stack>
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
