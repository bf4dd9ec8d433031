import { TextInput } from '@mantine/core';
import { inZone } from './time.js';

/** A moment in the viewer's time zone, as a field has it: `2026-03-02T09:30`. */
export const momentField = (instant: Date): string =>
  new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** The instant of a field, ISO 8601; what is none stays as it was typed, for the API to say what is wrong with it. */
export function instantOf(moment: string): string {
  const instant = new Date(moment);
  return Number.isNaN(instant.getTime()) ? moment : instant.toISOString();
}

interface Props {
  readonly label: string;
  readonly value: string;
  /** IANA zone in which it is said, too. */
  readonly zone: string;
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A field for an instant in the viewer's time zone, which says what it is in another zone. */
export function MomentField({ label, value, zone, error, onChange }: Props) {
  const instant = new Date(value);
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={
        Number.isNaN(instant.getTime())
          ? 'By the clock of this browser'
          : `By the clock of this browser; that is ${inZone(instant, zone)}`
      }
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
