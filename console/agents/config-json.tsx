import { Textarea } from '@mantine/core';
import { useState } from 'react';

interface Props {
  readonly config: unknown;
  /** What is typed, or why it cannot be read yet. */
  readonly onConfig: (config: unknown, unreadable?: string) => void;
}

/** A config as the API has it, all of it. */
export function ConfigJson({ config, onConfig }: Props) {
  const [text, setText] = useState(() => JSON.stringify(config, null, 2));
  const [problem, setProblem] = useState<string | null>(null);
  const type = (next: string) => {
    setText(next);
    try {
      onConfig(JSON.parse(next));
      setProblem(null);
    } catch (error) {
      const words = `This is not JSON: ${error instanceof Error ? error.message : ''}`;
      setProblem(words);
      onConfig(config, words);
    }
  };
  return (
    <Textarea
      label="Config"
      description="The whole configuration, with what the form has no field for. Provider keys are shown as bullets: type them in full again."
      autosize={false}
      rows={28}
      spellCheck={false}
      styles={{ input: { fontFamily: 'monospace' } }}
      value={text}
      error={problem}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
