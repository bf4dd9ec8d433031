import { List, Text } from '@mantine/core';
import { toString } from 'cronstrue';
import { cronProblem } from '../../domain/campaign/cron.js';
import { inZone } from '../new-batch/clock.js';
import { nextRunsOf } from './runs.js';

const shownRuns = 3;

interface Props {
  readonly cron: string;
  /** IANA name, as far as it was typed. */
  readonly zone: string;
  /** It does not run by itself. */
  readonly isPaused?: boolean;
}

/** What a schedule means in words, and when it runs next. */
export function Times({ cron, zone, isPaused = false }: Props) {
  const problem = cronProblem(cron);
  if (problem !== null)
    return <Text size="sm">Write minute, hour, day of the month, month and day of the week: it {problem}.</Text>;
  const words = toString(cron, { use24HourTimeFormat: true, logicalAndDayFields: true });
  const now = new Date();
  const isZone = inZone(now, zone) !== null;
  return (
    <div>
      <Text size="sm" role="status">
        {words}.
      </Text>
      {isZone && !isPaused && (
        <>
          <Text size="sm" mt={4} id="next-runs">
            Next runs, in {zone}:
          </Text>
          <List size="sm" aria-labelledby="next-runs">
            {nextRunsOf(cron, zone, now, shownRuns).map((run) => (
              <List.Item key={run.getTime()}>
                <time dateTime={run.toISOString()}>{inZone(run, zone)}</time>
              </List.Item>
            ))}
          </List>
        </>
      )}
    </div>
  );
}
