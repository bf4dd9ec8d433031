import { List, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { Time } from '../ui/time.js';
import { figure } from '../ui/words.js';
import type { SectionProps } from './draft.js';
import classes from './new-batch.module.css';
import { heldWords } from './words.js';

interface Props {
  readonly report: Schemas['BatchCallReport'];
}

/** Whom do-not-call list, guardrails and hours hold back, and until when. */
export function HeldBack({ report }: Props) {
  const { heldBack, judged, recordsUploaded } = report;
  if (heldBack.length === 0) return null;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="held">
      <Title order={2} size="h4" id="held" mb="xs">
        Held back
      </Title>
      <List size="sm">
        {heldBack.map(({ reason, count, until, untilLast, rows }) => (
          <List.Item key={reason}>
            <b>{figure(count)}</b> {heldWords[reason] ?? reason}
            {until !== null && (
              <>
                {' '}
                until <Time at={until} />
                {untilLast !== null && untilLast !== until && (
                  <>
                    , the last of them until <Time at={untilLast} />
                  </>
                )}
              </>
            )}
            . Rows {rows.join(', ')}
            {count > rows.length ? ' and more' : ''}
          </List.Item>
        ))}
      </List>
      {judged < recordsUploaded && (
        <Text size="sm" c="dimmed" mt="xs">
          Of the first {figure(judged)} numbers.
        </Text>
      )}
    </Paper>
  );
}

/** Placeholders that no column fills, each with the columns that could. */
export function Unfilled({ report, draft, change }: Props & Pick<SectionProps, 'draft' | 'change'>) {
  const { unfilledPlaceholders, columns } = report;
  if (unfilledPlaceholders.length === 0) return null;
  const paths = new Map<string, string[]>();
  for (const { placeholder, path } of unfilledPlaceholders) {
    paths.set(placeholder, [...(paths.get(placeholder) ?? []), path]);
  }
  const fill = (placeholder: string, column: string) => {
    const header = Object.entries(draft.names).find(([, name]) => name === column)?.[0] ?? column;
    change({ names: { ...draft.names, [header]: placeholder } });
  };
  const free = columns.filter((column) => column !== 'phone_number');
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="unfilled" className={classes.unfilled ?? ''}>
      <Title order={2} size="h4" id="unfilled" mb="xs">
        Nothing fills these placeholders
      </Title>
      <Stack gap="xs">
        <Text size="sm">The agent would say nothing in their place.</Text>
        {[...paths].map(([placeholder, places]) => (
          <div key={placeholder}>
            <Text size="sm">
              <b>{`{{${placeholder}}}`}</b> in {places.join(', ')}
            </Text>
            {free.length > 0 && (
              <NativeSelect
                size="xs"
                aria-label={`Column that fills ${placeholder}`}
                value=""
                data={[
                  { value: '', label: 'Fill it from a column …' },
                  ...free.map((column) => ({ value: column, label: column })),
                ]}
                onChange={(event) => fill(placeholder, event.currentTarget.value)}
              />
            )}
          </div>
        ))}
      </Stack>
    </Paper>
  );
}
