import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Choices } from '../api/agents.js';
import { bodyOf, draftOf } from '../ui/form/field.js';
import { FieldGroups } from '../ui/form/field-groups.js';
import { valueAt, withValueAt } from '../ui/form/path.js';
import { configGroups, languagesOf } from './fields.js';

interface Props {
  readonly config: unknown;
  readonly choices: Choices;
  /** What the last attempt to save was refused with. */
  readonly error: unknown;
  readonly onConfig: (config: unknown) => void;
}

/** The usual fields of a config, by language. What has no field stays as it is. */
export function ConfigForm({ config, choices, error, onConfig }: Props) {
  const groups = configGroups(config, choices);
  const fields = groups.flatMap((group) => group.fields);
  const languages = languagesOf(config);
  // What is typed stays as it is typed: `0.` is no number yet.
  const [typed, setTyped] = useState(() => draftOf(fields, config));
  const draft = { ...draftOf(fields, config), ...typed };
  const others = choices.languages.map(({ name }) => name).filter((name) => !languages.includes(name.toLowerCase()));
  const add = (name: string) => onConfig(withValueAt(config, `languages.${name.toLowerCase()}`, { prompt: '' }));
  const remove = (name: string) => {
    setTyped(Object.fromEntries(Object.entries(typed).filter(([path]) => !path.startsWith(`languages.${name}.`))));
    const isDefault = valueAt(config, 'defaultLanguage') === name;
    const without = withValueAt(config, `languages.${name}`, undefined);
    onConfig(isDefault ? withValueAt(without, 'defaultLanguage', undefined) : without);
  };
  return (
    <Stack>
      <FieldGroups
        groups={groups}
        draft={draft}
        error={error}
        onChange={(path, value) => {
          const next = { ...draft, [path]: value };
          setTyped(next);
          onConfig(bodyOf(fields, next, config));
        }}
      />
      <Group align="end" gap="sm">
        <NativeSelect
          label="Add a language"
          value=""
          data={[{ value: '', label: 'Choose' }, ...others.map((name) => ({ value: name, label: name }))]}
          onChange={(event) => {
            if (event.currentTarget.value !== '') add(event.currentTarget.value);
          }}
        />
        {languages.length > 1 &&
          languages.map((name) => (
            <Button key={name} variant="default" size="xs" onClick={() => remove(name)}>
              Take {name} off
            </Button>
          ))}
      </Group>
    </Stack>
  );
}
