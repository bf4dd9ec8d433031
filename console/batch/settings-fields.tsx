import { Button, Checkbox, Fieldset, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { problemAt } from '../api/refused.js';
import { spoken } from '../ui/words.js';
import { zonesId } from '../ui/zones.js';
import { type Delay, type Unit, units } from '../ui/delays.js';
import type { Settings } from './settings-form.js';

interface Props {
  readonly settings: Settings;
  readonly onChange: (part: Partial<Settings>) => void;
  /** What the last attempt to save was refused with. */
  readonly error: unknown;
}

/** When the batch call starts. */
export const ScheduleFields = ({ settings, onChange, error }: Props) => (
  <Fieldset legend="Start">
    <Stack gap="sm">
      <Checkbox
        label="As soon as the file has been read"
        checked={settings.startsNow}
        onChange={(event) => onChange({ startsNow: event.currentTarget.checked })}
      />
      {!settings.startsNow && (
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <TextInput
            type="date"
            label="Date"
            value={settings.date}
            error={problemAt(error, 'schedule', 'schedule.date')}
            onChange={(event) => onChange({ date: event.currentTarget.value })}
          />
          <TextInput
            type="time"
            label="Time"
            value={settings.time}
            error={problemAt(error, 'schedule.time')}
            onChange={(event) => onChange({ time: event.currentTarget.value })}
          />
          <TextInput
            label="Time zone"
            list={zonesId}
            value={settings.timezone}
            error={problemAt(error, 'schedule.timezone')}
            onChange={(event) => onChange({ timezone: event.currentTarget.value })}
          />
        </SimpleGrid>
      )}
    </Stack>
  </Fieldset>
);

const outcomes = ['not-answered', 'rejected', 'missed', 'failed', 'abandoned', 'voicemail', 'unsuccessful'];
const mostRetries = 5;

/** After which outcomes, and when, a number is called again. */
export function RetryFields({ settings, onChange, error }: Props) {
  const { delays, retryOn } = settings;
  const set = (index: number, part: Partial<Delay>) =>
    onChange({ delays: delays.map((delay, at) => (at === index ? { ...delay, ...part } : delay)) });
  return (
    <Fieldset legend="Retries">
      <Stack gap="sm">
        <Text size="sm">
          {delays.length === 0
            ? 'Each number is called once.'
            : 'For calls that end from now on; retries already planned stay.'}
        </Text>
        {delays.map((delay, index) => (
          <Group key={index} align="start" gap="xs">
            <TextInput
              label={index === 0 ? 'Tries again after' : 'Then again after'}
              inputMode="numeric"
              value={delay.count}
              error={problemAt(error, `retry.retryDelays[${index}]`)}
              onChange={(event) => set(index, { count: event.currentTarget.value })}
            />
            <NativeSelect
              label="Unit"
              value={delay.unit}
              data={Object.keys(units)}
              onChange={(event) => set(index, { unit: event.currentTarget.value as Unit })}
            />
            <Button
              variant="default"
              mt={25}
              aria-label={`Remove retry ${index + 1}`}
              onClick={() => onChange({ delays: delays.filter((_, at) => at !== index) })}
            >
              Remove
            </Button>
          </Group>
        ))}
        {delays.length < mostRetries && (
          <Group>
            <Button
              variant="default"
              size="xs"
              onClick={() =>
                onChange({
                  delays: [...delays, { count: '1', unit: 'hours' }],
                  retryOn: retryOn.length === 0 ? ['not-answered', 'rejected', 'missed'] : retryOn,
                })
              }
            >
              Add a retry
            </Button>
          </Group>
        )}
        {delays.length > 0 && (
          <Checkbox.Group
            label="If the call was"
            value={[...retryOn]}
            error={problemAt(error, 'retry', 'retry.retryOn')}
            onChange={(next) => onChange({ retryOn: outcomes.filter((outcome) => next.includes(outcome)) })}
          >
            <Group gap="sm" mt={4}>
              {outcomes.map((outcome) => (
                <Checkbox key={outcome} value={outcome} label={spoken(outcome)} />
              ))}
            </Group>
          </Checkbox.Group>
        )}
      </Stack>
    </Fieldset>
  );
}
