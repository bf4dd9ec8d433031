import {
  Button,
  Fieldset,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import type { Problem } from '../api/refused.js';
import { DaysField } from './days-field.js';
import { useFocusOf, useGrowingList } from './growing-list.js';
import {
  mostWindows,
  type OneWindow,
  problemOfDates,
  problemOfWindow,
  type WindowValues,
  withAnother,
} from './windows.js';
import { zonesId } from './zones.js';

interface OneProps {
  readonly window: OneWindow;
  readonly problemAt: (field: keyof OneWindow) => string | undefined;
  readonly onChange: (part: Partial<OneWindow>) => void;
  /** Time zone that is proposed in place of that of each callee. */
  readonly zone: string;
  /** It was just added: its first field takes the focus. */
  readonly isNew: boolean;
}

/** Fields beside each other stand on one line, however long what is said of them. */
const below: Pick<TextInputProps, 'inputWrapperOrder'> = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
};

const isTomorrow = ({ from, until }: OneWindow): boolean =>
  /^\d\d:\d\d$/.test(until) && /^\d\d:\d\d$/.test(from) && until < from;

/** Hours, days, and by whose clock. */
function HoursFields({ window, problemAt, onChange, zone, isNew }: OneProps) {
  const first = useFocusOf<HTMLInputElement>(isNew);
  const isByCallee = window.timezone === 'recipient';
  const zoneProblem = problemAt('timezone');
  return (
    <Stack gap="sm">
      <SimpleGrid cols={2}>
        <TextInput
          ref={first}
          label="From"
          {...below}
          description="HH:MM"
          value={window.from}
          error={problemAt('from')}
          onChange={(event) => onChange({ from: event.currentTarget.value.trim() })}
        />
        <TextInput
          label="Until"
          {...below}
          description={isTomorrow(window) ? 'HH:MM, on the next day' : 'HH:MM, up to 24:00'}
          value={window.until}
          error={problemAt('until')}
          onChange={(event) => onChange({ until: event.currentTarget.value.trim() })}
        />
      </SimpleGrid>
      <DaysField
        daysOfWeek={window.daysOfWeek}
        error={problemAt('daysOfWeek')}
        onChange={(daysOfWeek) => onChange({ daysOfWeek })}
      />
      <NativeSelect
        label="Whose clock"
        {...below}
        description={isByCallee ? 'From a timezone column, else from the number' : undefined}
        value={isByCallee ? 'recipient' : 'zone'}
        data={[
          { value: 'recipient', label: 'Each callee’s own' },
          { value: 'zone', label: 'One time zone for all' },
        ]}
        error={isByCallee ? zoneProblem : undefined}
        onChange={(event) => onChange({ timezone: event.currentTarget.value === 'recipient' ? 'recipient' : zone })}
      />
      {!isByCallee && (
        <TextInput
          label="Time zone of the window"
          {...below}
          description="Such as Europe/Paris"
          list={zonesId}
          value={window.timezone}
          error={zoneProblem}
          onChange={(event) => onChange({ timezone: event.currentTarget.value.trim() })}
        />
      )}
    </Stack>
  );
}

interface Props {
  readonly values: WindowValues;
  readonly problems: readonly Problem[];
  readonly onChange: (part: Partial<WindowValues>) => void;
  readonly zone: string;
}

/** The windows themselves and the dates, as a part that is loaded once it is wanted. */
export function WindowList({ values, problems, onChange, zone }: Props) {
  const { windows, except } = values;
  const list = useGrowingList(windows, (windows) => onChange({ windows }));
  return (
    <>
      {windows.map((window, place) => {
        const fields = (
          <HoursFields
            window={window}
            zone={zone}
            isNew={list.isNew(place)}
            problemAt={(field) => problemOfWindow(problems, place, field)}
            onChange={(part) => list.set(place, part)}
          />
        );
        return windows.length === 1 ? (
          <div key={place}>{fields}</div>
        ) : (
          <Fieldset key={place} legend={`Window ${place + 1}`}>
            {fields}
            <Group justify="flex-end" mt="sm">
              <Button
                variant="default"
                size="xs"
                aria-label={`Remove window ${place + 1}`}
                onClick={() => list.remove(place)}
              >
                Remove
              </Button>
            </Group>
          </Fieldset>
        );
      })}
      <Group>
        <Button
          ref={list.adding}
          variant="default"
          size="xs"
          disabled={windows.length >= mostWindows}
          onClick={() => list.add(withAnother(windows))}
        >
          Add another window
        </Button>
      </Group>
      <TextInput
        label="Not on these dates"
        description="Such as holidays: YYYY-MM-DD, separated by commas, in the same time zones"
        value={except}
        error={problemOfDates(problems, except)}
        onChange={(event) => onChange({ except: event.currentTarget.value })}
      />
    </>
  );
}
