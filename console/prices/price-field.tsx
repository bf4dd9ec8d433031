import { TextInput } from '@mantine/core';

/** What stands in which order in a field of a price. */
export const fieldOrder: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

interface Props {
  readonly label: string;
  readonly description: string;
  /** Not a number. */
  readonly isText?: boolean;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (typed: string) => void;
}

/** A field of a price that is typed. */
export const PriceField = ({ label, description, isText = false, value, error, onChange }: Props) => (
  <TextInput
    {...{ label, description, value, error }}
    inputWrapperOrder={fieldOrder}
    inputMode={isText ? 'text' : 'decimal'}
    autoComplete="off"
    onChange={(event) => onChange(event.currentTarget.value.trim())}
  />
);
