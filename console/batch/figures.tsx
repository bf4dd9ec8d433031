import { Group, NativeSelect, Paper, SimpleGrid, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FiguresBy, figuresQuery } from '../api/batch-queries.js';
import type { Schemas } from '../api/client.js';
import { DataTable, NumberCell, ShareCell } from '../ui/data-table.js';
import { Fresh } from '../ui/fresh.js';
import { duration, figure, percent } from '../ui/words.js';
import { keySaid } from './figure-key.js';
import { splits } from './search.js';
import { useVariantNames } from './variant-names.js';

type Row = Schemas['FigureRow'];

const lineOf = (by: FiguresBy): string => splits.find(({ value }) => value === by)?.line ?? by;

const sum = (rows: readonly Row[], name: 'calls' | 'attempts' | 'answered' | 'human' | 'machine' | 'talkSeconds') =>
  rows.reduce((all, row) => all + row[name], 0);

/** The figures of a line, or of all of them. */
function Cells({ of }: { readonly of: Omit<Row, 'key' | 'success'> }) {
  return (
    <>
      <NumberCell>{figure(of.attempts)}</NumberCell>
      <NumberCell>{figure(of.answered)}</NumberCell>
      <ShareCell part={of.answered} whole={of.attempts} />
      <NumberCell>{figure(of.human)}</NumberCell>
      <NumberCell>{figure(of.machine)}</NumberCell>
      <NumberCell>{figure(of.calls)}</NumberCell>
      <NumberCell>{of.answered === 0 ? '–' : duration(of.talkSeconds / of.answered)}</NumberCell>
    </>
  );
}

const head = [
  ...[
    'Attempts',
    'Answered',
    'Share of attempts',
    'By a person',
    'By a machine',
    'Finished calls',
    'Average talk time',
  ].map((words) => ({
    words,
    isNumber: true,
  })),
];

interface Props {
  readonly batch: Pick<Schemas['BatchCallDetail'], 'batchId' | 'variants'>;
  readonly by: FiguresBy;
  readonly onSplit: (by: FiguresBy) => void;
}

/** What came of the calls, in all and split by what the address says. */
export function Figures({ batch: { batchId, variants }, by, onSplit }: Props) {
  const query = useQuery(figuresQuery(batchId, by));
  const variantSaid = useVariantNames(variants);
  const offered = splits.filter(({ value }) => value !== 'variant' || variants !== undefined);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="figures">
      <Group justify="space-between" align="end" mb="sm">
        <Title order={2} size="h4" id="figures">
          Results
        </Title>
        <NativeSelect
          label="Split by"
          value={by}
          data={offered.map(({ value, words }) => ({ value, label: words }))}
          onChange={(event) => onSplit(event.currentTarget.value as FiguresBy)}
        />
      </Group>
      <Fresh query={query}>
        {({ answerRate, averageDuration, attempts, rows = [], by: shownBy = by }) => (
          <>
            <SimpleGrid cols={{ base: 1, xs: 3 }} mb="sm">
              <Text>
                Answered, of finished calls <b>{percent(answerRate)}</b>
              </Text>
              <Text>
                Average talk time <b>{duration(averageDuration)}</b>
              </Text>
              <Text>
                Numbers dialed <b>{figure(attempts)}</b> times
              </Text>
            </SimpleGrid>
            {rows.length === 0 ? (
              <Text c="dimmed">No call has finished yet.</Text>
            ) : (
              <DataTable
                label={`Figures by ${lineOf(shownBy)}`}
                head={[{ words: lineOf(shownBy) }, ...head]}
                foot={
                  <Table.Tr>
                    <Table.Th scope="row">In all</Table.Th>
                    <Cells
                      of={{
                        attempts: sum(rows, 'attempts'),
                        answered: sum(rows, 'answered'),
                        human: sum(rows, 'human'),
                        machine: sum(rows, 'machine'),
                        calls: sum(rows, 'calls'),
                        talkSeconds: sum(rows, 'talkSeconds'),
                      }}
                    />
                  </Table.Tr>
                }
              >
                {rows.map((row) => (
                  <Table.Tr key={row.key} data-key={row.key ?? ''}>
                    <Table.Th scope="row" fw={400}>
                      {shownBy === 'variant' && row.key !== null ? variantSaid(row.key) : keySaid(shownBy, row.key)}
                    </Table.Th>
                    <Cells of={row} />
                  </Table.Tr>
                ))}
              </DataTable>
            )}
          </>
        )}
      </Fresh>
    </Paper>
  );
}
