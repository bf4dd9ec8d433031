import { Table, Text } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { DataTable, NumberCell } from '../ui/data-table.js';
import { duration, figure } from '../ui/words.js';

const does = { stt: 'hears', llm: 'finds words', tts: 'speaks', realtime: 'hears and speaks' } as const;

const maybe = (value: number | undefined, said: (value: number) => string = figure): string =>
  value === undefined ? '–' : said(value);

/** What models were used, each by what it is paid by. */
export const Models = ({ models }: { readonly models: readonly Schemas['UsedModel'][] }) =>
  models.length === 0 ? (
    <Text c="dimmed">No model was used. Simulated calls use none.</Text>
  ) : (
    <DataTable
      label="Models of this month"
      head={[
        ...[{ words: 'Model' }, { words: 'Does' }],
        ...['Tokens in', 'Of these cached', 'Tokens out', 'Sound', 'Characters'].map((words) => ({
          words,
          isNumber: true,
        })),
      ]}
    >
      {models.map(({ kind, model, inputTokens, cachedInputTokens, outputTokens, audioSeconds, characters }) => (
        <Table.Tr key={`${kind} ${model}`}>
          <Table.Td>{model}</Table.Td>
          <Table.Td>{does[kind]}</Table.Td>
          <NumberCell>{maybe(inputTokens)}</NumberCell>
          <NumberCell>{maybe(cachedInputTokens)}</NumberCell>
          <NumberCell>{maybe(outputTokens)}</NumberCell>
          <NumberCell>{maybe(audioSeconds, duration)}</NumberCell>
          <NumberCell>{maybe(characters)}</NumberCell>
        </Table.Tr>
      ))}
    </DataTable>
  );
