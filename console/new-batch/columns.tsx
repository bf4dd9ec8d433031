import { NativeSelect, Paper, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { type SectionProps, twinsOf } from './draft.js';
import classes from './new-batch.module.css';
import type { Sheet } from './sheet.js';

const numberColumn = 'phone_number';

interface Props extends SectionProps {
  /** The beginning of the file; null: it is a workbook, which only the service reads. */
  readonly sheet: Sheet | null;
  /** Headers of the file as far as the service names them. */
  readonly columns: readonly string[];
}

/** Which column holds the telephone numbers, and by which names the agent knows the others. */
export function Columns({ draft, change, problemAt, sheet, columns }: Props) {
  const { names } = draft;
  // The service answers with the names that were given; the file has the others.
  const given = new Map(Object.entries(names).map(([header, name]) => [name, header]));
  const headers = sheet?.headers ?? columns.map((name) => given.get(name) ?? name);
  const chosen = Object.entries(names).find(([, name]) => name === numberColumn)?.[0];
  const numbers = chosen ?? (headers.includes(numberColumn) ? numberColumn : '');
  const nameNumbers = (header: string) => {
    const others = Object.entries(names).filter(([, name]) => name !== numberColumn);
    // A column that is called phone_number and is not the one gets another name.
    const freed = header !== numberColumn && headers.includes(numberColumn) ? [[numberColumn, 'other_number']] : [];
    const isOwn = header === '' || header === numberColumn;
    change({
      names: Object.fromEntries([
        ...others.filter(([of]) => of !== header && of !== numberColumn),
        ...freed,
        ...(isOwn ? [] : [[header, numberColumn]]),
      ]) as Record<string, string>,
    });
  };
  const rename = (header: string, name: string) => change({ names: { ...names, [header]: name } });
  const problems = ['columns', ...Object.values(names).map((name) => `columns.${name}`)].flatMap(
    (path) => problemAt(path) ?? [],
  );
  const twins = twinsOf(draft, headers).map((name) => `Two columns would be called ${name}.`);
  const first = sheet?.rows[0]?.cells ?? [];
  const others = headers.map((header, place) => ({ header, place })).filter(({ header }) => header !== numbers);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="columns">
      <Title order={2} size="h4" id="columns" mb="xs">
        Columns
      </Title>
      <Stack gap="sm">
        {headers.length > 0 ? (
          <NativeSelect
            label="Column with the phone numbers"
            value={numbers}
            data={[
              ...(numbers === '' ? [{ value: '', label: 'Choose a column' }] : []),
              ...headers.filter((header) => header !== '').map((header) => ({ value: header, label: header })),
            ]}
            onChange={(event) => nameNumbers(event.currentTarget.value)}
          />
        ) : (
          <TextInput
            label="Column with the phone numbers"
            description="As named in the first row of the workbook. If empty, phone_number"
            value={chosen ?? ''}
            onChange={(event) => nameNumbers(event.currentTarget.value)}
          />
        )}
        {[...twins, ...problems].length > 0 && (
          <Text size="sm" role="alert" c="var(--mantine-color-error)">
            {[...twins, ...problems].join(' ')}
          </Text>
        )}
        {others.length > 0 && (
          <div className={classes.scroll} tabIndex={0} role="region" aria-label="Names of the columns">
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>In the file</Table.Th>
                  {sheet !== null && <Table.Th>First row</Table.Th>}
                  <Table.Th>The agent knows it as</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {others
                  .filter(({ header }) => header !== '')
                  .map(({ header, place }) => (
                    <Table.Tr key={`${place}`}>
                      <Table.Td className={classes.wrap ?? ''}>{header}</Table.Td>
                      {sheet !== null && <Table.Td className={classes.cell ?? ''}>{first[place] ?? ''}</Table.Td>}
                      <Table.Td>
                        <TextInput
                          size="xs"
                          aria-label={`Name for the column ${header}`}
                          value={Object.hasOwn(names, header) ? (names[header] ?? '') : header}
                          onChange={(event) => rename(header, event.currentTarget.value)}
                        />
                      </Table.Td>
                    </Table.Tr>
                  ))}
              </Table.Tbody>
            </Table>
          </div>
        )}
      </Stack>
    </Paper>
  );
}
