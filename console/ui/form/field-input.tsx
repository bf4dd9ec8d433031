import { Checkbox, Group, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { useId } from 'react';
import type { Draft, Field } from './field.js';

interface Props {
  readonly field: Field;
  readonly value: Draft[string];
  readonly error: string | undefined;
  readonly onChange: (value: Draft[string]) => void;
}

const order = ['label', 'input', 'description', 'error'] as const;
const rows = { long: 5, lines: 3, pairs: 3, json: 6 } as const;

/** One field, as its kind is typed or chosen. */
export function FieldInput({ field, value, error, onChange }: Props) {
  const { label, description, placeholder } = field;
  const common = { label, description, error, inputWrapperOrder: [...order] };
  const text = typeof value === 'string' ? value : '';
  const list = useId();
  const typed = { ...common, placeholder, value: text, autoComplete: 'off', spellCheck: field.kind === 'long' };
  switch (field.kind) {
    case 'check':
      return (
        <Checkbox
          label={label}
          description={description}
          error={error}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'several':
      return (
        <Checkbox.Group {...common} value={typeof value === 'object' ? [...value] : []} onChange={onChange}>
          <Group gap="sm" mt={4}>
            {field.options.map((option) => (
              <Checkbox key={option.value} {...option} />
            ))}
          </Group>
        </Checkbox.Group>
      );
    case 'choice':
      return (
        <NativeSelect
          {...common}
          value={text}
          data={field.options.map((option) => ({ ...option }))}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'secret':
      return (
        <PasswordInput
          {...typed}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': `Show: ${label}` }}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'long':
    case 'lines':
    case 'pairs':
    case 'json':
      return (
        <Textarea
          {...typed}
          autosize={false}
          rows={(field.kind === 'long' ? field.rows : undefined) ?? rows[field.kind]}
          {...(field.kind === 'json' ? { styles: { input: { fontFamily: 'monospace' } } } : {})}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'text':
    case 'number':
      return (
        <>
          <TextInput
            {...typed}
            inputMode={field.kind === 'number' ? 'decimal' : 'text'}
            {...(field.suggestions === undefined ? {} : { list })}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          {field.suggestions !== undefined && (
            <datalist id={list}>
              {field.suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          )}
        </>
      );
  }
}
