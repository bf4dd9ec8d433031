import { NativeSelect, TextInput } from '@mantine/core';

const onErrors = ['wait', 'skip', 'dial'] as const;

const onErrorWords = [
  { value: 'wait', label: 'They wait, and it is asked again' },
  { value: 'skip', label: 'They are not called' },
  { value: 'dial', label: 'They are called all the same' },
];

/** Who is asked before recipients are dialed, as fields have it. */
export interface PreDialValues {
  /** Its address; empty: nobody of its own. */
  readonly preDial: string;
  readonly onError: (typeof onErrors)[number];
  readonly timeoutMs: string;
}

export const noPreDial: PreDialValues = { preDial: '', onError: 'wait', timeoutMs: '3000' };

interface Props {
  readonly values: PreDialValues;
  /** What an empty address means. */
  readonly empty: string;
  readonly onChange: (part: Partial<PreDialValues>) => void;
  readonly problemAt: (path: string) => string | undefined;
}

/** An endpoint that says, just before each call, whether it may be made. */
export const PreDialFields = ({ values: { preDial, onError, timeoutMs }, empty, onChange, problemAt }: Props) => (
  <>
    <TextInput
      label="Ask before each call"
      description={`An https address that says who may be called; empty: ${empty}`}
      type="url"
      value={preDial}
      error={problemAt('preDial.url') ?? problemAt('preDial')}
      onChange={(event) => onChange({ preDial: event.currentTarget.value.trim() })}
    />
    {preDial !== '' && (
      <>
        <TextInput
          label="It may take, in milliseconds"
          inputMode="numeric"
          value={timeoutMs}
          error={problemAt('preDial.timeoutMs')}
          onChange={(event) => onChange({ timeoutMs: event.currentTarget.value.trim() })}
        />
        <NativeSelect
          label="If it gives no usable answer"
          value={onError}
          data={onErrorWords}
          error={problemAt('preDial.onError')}
          onChange={(event) =>
            onChange({ onError: onErrors.find((each) => each === event.currentTarget.value) ?? onError })
          }
        />
      </>
    )}
  </>
);
