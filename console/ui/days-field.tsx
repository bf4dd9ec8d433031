import { Checkbox, Group } from '@mantine/core';
import { weekDays } from './week-days.js';

interface Props {
  /** Numbers of days, from Monday, `1`, to Sunday, `7`. */
  readonly daysOfWeek: readonly string[];
  /** What is wrong with them. */
  readonly error: string | undefined;
  /** Is given them in the order of the week. */
  readonly onChange: (daysOfWeek: string[]) => void;
}

/** The days of the week on which calls may start. */
export const DaysField = ({ daysOfWeek, error, onChange }: Props) => (
  <Checkbox.Group
    label="Days"
    value={[...daysOfWeek]}
    error={error}
    onChange={(chosen) => onChange([...chosen].sort())}
  >
    <Group gap="sm" mt={4}>
      {weekDays.map(({ value, name }) => (
        <Checkbox key={value} value={value} label={name} />
      ))}
    </Group>
  </Checkbox.Group>
);
