import { Button, Group, Paper, Text, TextInput, Textarea, Title } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import { figure } from '../ui/words.js';
import type { SectionProps } from './draft.js';
import classes from './new-batch.module.css';

const mostBytes = 5_242_880;

/** A copy of the file in memory, or why it cannot be taken. */
async function held(file: File): Promise<File | string> {
  if (file.size > mostBytes) {
    return `${file.name} has ${figure(file.size)} bytes, and a file has at most ${figure(mostBytes)}. Split it, or remove columns that the agent does not need.`;
  }
  try {
    return new File([await file.arrayBuffer()], file.name, { type: file.type });
  } catch {
    return `${file.name} cannot be read. A folder, or a file that was moved? Choose it again.`;
  }
}

const nameOf = (file: File): string => file.name.replace(/\.[^.]+$/, '');

/** Whom to call: a file that is dropped or chosen, or numbers that are pasted. */
export function Recipients({ draft, change, problemAt }: SectionProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const { file, pasted, revision, name } = draft;

  const take = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    const taken = await held(chosen);
    setRefused(typeof taken === 'string' ? taken : null);
    if (typeof taken === 'string') return;
    change({
      file: taken,
      pasted: '',
      revision: revision + 1,
      names: {},
      ...(name === '' ? { name: nameOf(taken) } : {}),
    });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void take(event.dataTransfer.files[0]);
  };
  const problem = refused ?? problemAt('file');
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="recipients">
      <Title order={2} size="h4" id="recipients" mb="xs">
        Whom to call
      </Title>
      <div
        className={`${classes.drop ?? ''} ${isOver ? (classes.over ?? '') : ''}`}
        onDrop={drop}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
      >
        <input
          ref={input}
          type="file"
          hidden
          tabIndex={-1}
          aria-hidden="true"
          accept=".csv,.xls,.xlsx"
          onChange={(event) => {
            void take(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
        {file === null ? (
          <Text size="sm">Drop a .csv, .xls or .xlsx file here. Its first row names the columns.</Text>
        ) : (
          <Text size="sm" role="status" className={classes.wrap ?? ''}>
            <b>{file.name}</b>, {figure(file.size)} bytes
          </Text>
        )}
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => input.current?.click()}>
            {file === null ? 'Choose a file' : 'Choose another file'}
          </Button>
          {file !== null && (
            <Button
              variant="subtle"
              size="xs"
              onClick={() => change({ file: null, revision: revision + 1, names: {} })}
            >
              Remove
            </Button>
          )}
        </Group>
      </div>
      {problem !== undefined && (
        <Text size="sm" role="alert" c="var(--mantine-color-error)" mt={6}>
          {problem}
        </Text>
      )}
      {file === null && (
        <Textarea
          mt="sm"
          label="Or paste numbers"
          description="One per line, with + and country code; or a table with its header, copied from a spreadsheet. The header is row 1."
          autosize={false}
          rows={5}
          value={pasted}
          placeholder={'+14155550123\n+442071838750'}
          onChange={(event) => {
            setRefused(null);
            change({ pasted: event.currentTarget.value, revision: revision + 1 });
          }}
        />
      )}
      <TextInput
        mt="sm"
        label="Name of the batch call"
        value={name}
        error={problemAt('name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
    </Paper>
  );
}
