import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const pauseMs = 300;

interface Props {
  readonly label: string;
  /** What the address of the page says. */
  readonly value: string;
  /** Called once nothing more has been typed for a moment. */
  readonly onSearch: (text: string) => void;
  /** A page has one field that the key / leads to. */
  readonly isSecond?: boolean;
  readonly placeholder?: string;
}

/** A field to search with while typing. The key / leads to it from anywhere on the page. */
export function SearchField({ label, value, onSearch, isSecond = false, placeholder }: Props) {
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  // What this field has asked for itself must not overwrite what was typed meanwhile; a step back in the history must.
  const asked = useRef(value);
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setText(value);
  }, [value]);
  const search = useDebouncedCallback((next: string) => {
    asked.current = next;
    onSearch(next);
  }, pauseMs);
  useEffect(() => {
    if (isSecond) return undefined;
    const toField = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', toField);
    return () => document.removeEventListener('keydown', toField);
  }, [isSecond]);
  return (
    <TextInput
      ref={field}
      type={isSecond ? 'text' : 'search'}
      label={label}
      placeholder={placeholder}
      value={text}
      maxLength={256}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value.trim());
      }}
    />
  );
}
