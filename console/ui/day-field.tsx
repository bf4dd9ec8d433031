import { TextInput } from '@mantine/core';

interface Props {
  readonly label: string;
  /** `YYYY-MM-DD`; undefined: none is chosen. */
  readonly day: string | undefined;
  /** Is given '' if the day is taken out. */
  readonly onChange: (day: string) => void;
}

/** A day to filter by. */
export const DayField = ({ label, day, onChange }: Props) => (
  <TextInput type="date" label={label} value={day ?? ''} onChange={(event) => onChange(event.currentTarget.value)} />
);
