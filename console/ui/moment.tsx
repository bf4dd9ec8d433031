import { TextInput } from '@mantine/core';
import { inZone } from './time.js';

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
