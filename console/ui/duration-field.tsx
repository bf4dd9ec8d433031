import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { rangeOf } from '../app/search.js';

const pauseMs = 500;

interface Props {
  /** What the address of the page says. */
  readonly value: string | undefined;
  readonly onChange: (range: string | undefined) => void;
}

/** From and to how many seconds calls talked. */
export function DurationField({ value, onChange }: Props) {
  const [text, setText] = useState(value ?? '');
  const [before, setBefore] = useState(value);
  if (before !== value) {
    setBefore(value);
    if (value !== rangeOf(text)) setText(value ?? '');
  }
  const isWrong = text.trim() !== '' && rangeOf(text) === undefined;
  const ask = useDebouncedCallback((next: string) => {
    if (next.trim() === '' || rangeOf(next) !== undefined) onChange(rangeOf(next));
  }, pauseMs);
  return (
    <TextInput
      label="Talk time, in seconds"
      placeholder="30-120, 60-"
      value={text}
      error={isWrong && 'A range such as 30-120, 60- or -10'}
      onChange={(event) => {
        setText(event.currentTarget.value);
        ask(event.currentTarget.value);
      }}
    />
  );
}
