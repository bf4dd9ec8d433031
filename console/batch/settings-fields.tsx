import { Button, Checkbox, Fieldset, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { problemAt } from '../api/refused.js';
import { DaysField } from '../ui/days-field.js';
import { spoken } from '../ui/words.js';
import { windowSaid } from './said.js';
import { type Delay, movedDown, type Settings, type Unit, units } from './settings-form.js';

interface Props {
  readonly settings: Settings;
  readonly onChange: (part: Partial<Settings>) => void;
  /** What the last attempt to save was refused with. */
  readonly error: unknown;
}

const zones = Intl.supportedValuesOf('timeZone');

/** The names of all time zones, for fields that take one. */
export const Zones = () => (
  <datalist id="zones">
    {['UTC', ...zones].map((zone) => (
      <option key={zone} value={zone} />
    ))}
  </datalist>
);

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
            list="zones"
            value={settings.timezone}
            error={problemAt(error, 'schedule.timezone')}
            onChange={(event) => onChange({ timezone: event.currentTarget.value })}
          />
        </SimpleGrid>
      )}
    </Stack>
  </Fieldset>
);

/** The hours in which calls may start. */
export const WindowFields = ({ settings, onChange, error }: Props) => (
  <Fieldset legend="Calling window">
    <Stack gap="sm">
      <Checkbox
        label="Calls start in certain hours only"
        checked={settings.hasWindow}
        error={problemAt(error, 'callingWindow')}
        onChange={(event) => onChange({ hasWindow: event.currentTarget.checked })}
      />
      {settings.hasWindow && (
        <>
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <TextInput
              label="From"
              description="HH:MM"
              value={settings.from}
              error={problemAt(error, 'callingWindow.from')}
              onChange={(event) => onChange({ from: event.currentTarget.value })}
            />
            <TextInput
              label="Until"
              description="HH:MM, up to 24:00"
              value={settings.until}
              error={problemAt(error, 'callingWindow.until')}
              onChange={(event) => onChange({ until: event.currentTarget.value })}
            />
            <TextInput
              label="By the clock of"
              description="recipient, or a time zone"
              list="zones"
              value={settings.windowTimezone}
              error={problemAt(error, 'callingWindow.timezone')}
              onChange={(event) => onChange({ windowTimezone: event.currentTarget.value })}
            />
          </SimpleGrid>
          <DaysField
            daysOfWeek={settings.daysOfWeek}
            error={problemAt(error, 'callingWindow.daysOfWeek')}
            onChange={(daysOfWeek) => onChange({ daysOfWeek })}
          />
          <TextInput
            label="Not on these dates"
            description="YYYY-MM-DD, with commas between them"
            value={settings.except}
            error={problemAt(error, 'callingWindow.except')}
            onChange={(event) => onChange({ except: event.currentTarget.value })}
          />
          {settings.moreWindows.map((window, place) => (
            <Group key={place} justify="space-between">
              <Text size="sm">Or {windowSaid(window)}</Text>
              <Button
                variant="default"
                size="xs"
                aria-label={`Remove ${window.from} to ${window.until}`}
                onClick={() => onChange({ moreWindows: settings.moreWindows.filter((_, other) => other !== place) })}
              >
                Remove
              </Button>
            </Group>
          ))}
          <Group>
            <Button variant="default" size="xs" onClick={() => onChange(movedDown(settings))}>
              Add another window
            </Button>
          </Group>
        </>
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
            : 'For calls that end from now on; retries that are planned are made.'}
        </Text>
        {delays.map((delay, index) => (
          <Group key={index} align="start" gap="xs">
            <TextInput
              label={index === 0 ? 'Tries again after' : 'Then again after'}
              inputMode="numeric"
              value={delay.amount}
              error={problemAt(error, `retry.retryDelays[${index}]`)}
              onChange={(event) => set(index, { amount: event.currentTarget.value })}
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
                  delays: [...delays, { amount: '1', unit: 'hours' }],
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
