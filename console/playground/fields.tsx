import { type SubmitEvent, useState } from 'react';
import type { Metadata } from './api.js';

interface Props {
  /** Placeholders of the agent. */
  readonly names: readonly string[];
  readonly languages: readonly string[];
  /** The one that is spoken if none is chosen. */
  readonly language: string;
  /** Called with every change; empty fields are omitted. */
  readonly onValues: (metadata: Metadata) => void;
  /** Begins a conversation with them; null if the conversation has a button for that itself. */
  readonly onBegin: (() => void) | null;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** What a call would bring: a value for each placeholder, and the language. */
export function Fields({ names, languages, language, onValues, onBegin }: Props) {
  const [values, setValues] = useState<Metadata>({});
  const set = (name: string, value: string) => {
    const next = { ...values, [name]: value };
    setValues(next);
    onValues(Object.fromEntries(Object.entries(next).filter(([, each]) => each !== '')));
  };
  const begin = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onBegin?.();
  };
  const placeholders = names.filter((name) => name !== 'language' || languages.length < 2);

  return (
    <details className="card" open={placeholders.length > 0}>
      <summary>Values for the placeholders</summary>
      <form className="fields" onSubmit={begin}>
        {languages.length > 1 && (
          <label>
            Language
            <select name="language" onChange={(event) => set('language', event.currentTarget.value)}>
              <option value="">{capital(language)} (default)</option>
              {languages
                .filter((each) => each !== language)
                .map((each) => (
                  <option key={each} value={each}>
                    {capital(each)}
                  </option>
                ))}
            </select>
          </label>
        )}
        {placeholders.map((name) => (
          <label key={name}>
            {name}
            <input
              name={name}
              maxLength={1_000}
              dir="auto"
              autoComplete="off"
              onChange={(event) => set(name, event.currentTarget.value)}
            />
          </label>
        ))}
        {onBegin !== null && <button type="submit">Begin with these</button>}
      </form>
    </details>
  );
}
