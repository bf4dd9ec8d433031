import { Fieldset, SimpleGrid, Stack } from '@mantine/core';
import { type Draft, type Field, problemAt } from './field.js';
import { FieldInput } from './field-input.js';
import classes from './form.module.css';

/** Fields that belong together. */
export interface FieldGroup {
  readonly legend: string;
  readonly fields: readonly Field[];
  /** Seldom needed: closed until somebody opens it, or something in it is wrong. */
  readonly isRare?: boolean;
}

interface Props {
  readonly groups: readonly FieldGroup[];
  readonly draft: Draft;
  /** What the last attempt to send it was refused with. */
  readonly error: unknown;
  readonly onChange: (path: string, value: Draft[string]) => void;
}

const wide = ['long', 'lines', 'pairs', 'json', 'several'];

/** Fields in their groups: short ones beside each other where there is room. */
export const FieldGroups = ({ groups, draft, error, onChange }: Props) =>
  groups.map(({ legend, fields, isRare = false }) => {
    const inputOf = (field: Field) => (
      <FieldInput
        key={field.path}
        field={field}
        value={draft[field.path] ?? ''}
        error={problemAt(error, field.path)}
        onChange={(value) => onChange(field.path, value)}
      />
    );
    const short = fields.filter(({ kind }) => !wide.includes(kind) && kind !== 'check');
    const long = fields.filter(({ kind }) => wide.includes(kind));
    const checks = fields.filter(({ kind }) => kind === 'check');
    const content = (
      <Stack gap="md">
        {short.length > 0 && (
          <SimpleGrid cols={{ base: 1, xs: Math.min(short.length, 2) }}>{short.map(inputOf)}</SimpleGrid>
        )}
        {long.map(inputOf)}
        {checks.map(inputOf)}
      </Stack>
    );
    const isWrong = fields.some(({ path }) => problemAt(error, path) !== undefined);
    return isRare ? (
      <details key={legend} className={classes.rare} {...(isWrong ? { open: true } : {})}>
        <summary>{legend}</summary>
        {content}
      </details>
    ) : (
      <Fieldset key={legend} legend={legend}>
        {content}
      </Fieldset>
    );
  });
