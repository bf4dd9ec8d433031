import { NativeSelect, TextInput } from '@mantine/core';
import { onErrors, type PreDialValues } from './pre-dial.js';

const onErrorWords = [
  { value: 'wait', label: 'They wait, and it is asked again' },
  { value: 'skip', label: 'They are not called' },
  { value: 'dial', label: 'They are called' },
];

interface EndpointProps {
  readonly label: string;
  readonly description?: string;
  readonly values: PreDialValues;
  readonly onChange: (part: Partial<PreDialValues>) => void;
  readonly problemAt: (path: string) => string | undefined;
}

/** An endpoint that is asked; what it does besides is there once it has an address. */
export const EndpointFields = ({ label, description, values, onChange, problemAt }: EndpointProps) => (
  <>
    <TextInput
      label={label}
      description={description}
      type="url"
      value={values.preDial}
      error={problemAt('preDial.url')}
      onChange={(event) => onChange({ preDial: event.currentTarget.value.trim() })}
    />
    {values.preDial !== '' && (
      <>
        <TextInput
          label="Time limit, in milliseconds"
          inputMode="numeric"
          value={values.timeoutMs}
          error={problemAt('preDial.timeoutMs')}
          onChange={(event) => onChange({ timeoutMs: event.currentTarget.value.trim() })}
        />
        <NativeSelect
          label="Without a usable answer"
          value={values.onError}
          data={onErrorWords}
          error={problemAt('preDial.onError')}
          onChange={(event) =>
            onChange({ onError: onErrors.find((each) => each === event.currentTarget.value) ?? values.onError })
          }
        />
      </>
    )}
  </>
);

interface Props extends Omit<EndpointProps, 'label' | 'description'> {
  /** What an empty address means. */
  readonly empty: string;
}

/** An endpoint that says, just before each call, whether it may be made. */
export const PreDialFields = ({ empty, problemAt, ...fields }: Props) => (
  <EndpointFields
    {...fields}
    label="Pre-dial check"
    description={`An https endpoint that is asked before each call; empty: ${empty}`}
    problemAt={(path) => problemAt(path) ?? (path === 'preDial.url' ? problemAt('preDial') : undefined)}
  />
);
