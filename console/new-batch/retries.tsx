import { Button, Checkbox, Group, NativeSelect, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { type Delay, delaySeconds, units } from '../ui/delays.js';
import type { SectionProps } from './draft.js';
import classes from './new-batch.module.css';
import { outcomes, retriesInWords } from './words.js';

const mostRetries = 5;
const usual: readonly Delay[] = [
  { count: '5', unit: 'minutes' },
  { count: '1', unit: 'hours' },
];

/** How often a number is called again, and after what. */
export function Retries({ draft, change, problemAt }: SectionProps) {
  const { delays, retryOn } = draft;
  const set = (place: number, part: Partial<Delay>) =>
    change({ delays: delays.map((delay, index) => (index === place ? { ...delay, ...part } : delay)) });
  const seconds = delaySeconds(delays);
  const areNumbers = seconds.every((each) => each > 0);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="retries">
      <Title order={2} size="h4" id="retries" mb="xs">
        Retries
      </Title>
      <Stack gap="sm">
        {areNumbers && (
          <Text size="sm" role="status">
            {retriesInWords(retryOn, seconds)}
          </Text>
        )}
        {delays.map(({ count, unit }, place) => (
          <Group key={`${place}`} align="start" gap="xs" wrap="nowrap" role="group" aria-label={`Retry ${place + 1}`}>
            <TextInput
              className={classes.short ?? ''}
              label={`Retry ${place + 1} after`}
              inputMode="numeric"
              value={count}
              error={problemAt(`retry.retryDelays[${place}]`)}
              onChange={(event) => set(place, { count: event.currentTarget.value })}
            />
            <NativeSelect
              label="Unit"
              value={unit}
              data={Object.keys(units)}
              onChange={(event) => {
                const chosen = event.currentTarget.value;
                const known = (Object.keys(units) as Delay['unit'][]).find((each) => each === chosen);
                if (known !== undefined) set(place, { unit: known });
              }}
            />
          </Group>
        ))}
        <Group gap="xs">
          {delays.length < mostRetries && (
            <Button
              size="xs"
              variant="default"
              onClick={() => change({ delays: [...delays, usual[delays.length] ?? { count: '1', unit: 'days' }] })}
            >
              Add a retry
            </Button>
          )}
          {delays.length > 0 && (
            <Button size="xs" variant="default" onClick={() => change({ delays: delays.slice(0, -1) })}>
              Remove the last one
            </Button>
          )}
        </Group>
        {delays.length > 0 && (
          <Checkbox.Group
            label="Call again if"
            value={[...retryOn]}
            error={problemAt('retry.retryOn')}
            onChange={(chosen) =>
              change({ retryOn: outcomes.flatMap(({ status }) => (chosen.includes(status) ? [status] : [])) })
            }
          >
            <Stack gap={6} mt={4}>
              {outcomes.map(({ status, label }) => (
                <Checkbox key={status} value={status} label={label} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
      </Stack>
    </Paper>
  );
}
