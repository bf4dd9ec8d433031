import { Alert, Button, Group, Text } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { type Problem, Refused } from '../api/refused.js';
import { Problem as ProblemAlert } from '../ui/problem.js';
import { counted } from '../ui/words.js';
import { inZone } from './clock.js';
import { type Draft, isShownAtField } from './draft.js';
import classes from './new-batch.module.css';

/** The first of two requests with one key still runs; other conflicts are refusals. */
const isRunning = ({ status, message }: Refused): boolean => status === 409 && message.includes('Idempotency-Key');

/** Whether nobody knows if the request was carried out. */
export const isLost = (error: unknown): boolean =>
  error instanceof Refused && (error.status === 0 || error.status >= 500 || isRunning(error));

interface Props {
  readonly draft: Draft;
  readonly report: Schemas['BatchCallReport'] | undefined;
  readonly isCurrent: boolean;
  readonly isChecking: boolean;
  /** What the last try to start this draft came to; null: there was none, or it goes on. */
  readonly failure: Error | null;
  readonly isPending: boolean;
  /** What the API finds wrong with the fields. */
  readonly problems: readonly Problem[];
  readonly onStart: () => void;
  /** The draft is to be changed although its batch call may exist. */
  readonly onGiveUp: () => void;
}

function wordsOf({ draft, report, isCurrent, isChecking, problems }: Props): string {
  if (isChecking) return 'Checking …';
  if (problems.length > 0) return `${counted(problems.length, 'thing is', 'things are')} wrong: see the fields.`;
  if (report === undefined || !isCurrent) return 'It is checked first: nothing has started yet.';
  if (!report.valid) return 'No one would be called.';
  const calls = counted(report.recordsUploaded, 'number');
  if (!draft.isScheduled) return `${calls}, as soon as the file has been read.`;
  return `${calls}, from ${inZone(new Date(report.startsAt), draft.timezone) ?? report.startsAt} in ${draft.timezone}.`;
}

/** The last click: until it, nothing exists. */
export function StartBar(props: Props) {
  const { draft, report, isCurrent, isChecking, failure, isPending, problems, onStart, onGiveUp } = props;
  const lost = isLost(failure);
  const canStart = isCurrent && !isChecking && report?.valid === true;
  return (
    <div className={classes.start}>
      {lost && (
        <Alert color="yellow" role="alert" title="The answer was lost" mb="sm">
          It is not known whether the batch call was made. Try again: the same request makes it once at most.
          <Group mt="xs">
            <Button size="xs" variant="default" onClick={onGiveUp}>
              Change it anyway
            </Button>
          </Group>
        </Alert>
      )}
      {!lost && failure !== null && (
        <ProblemAlert
          error={failure}
          title="Nothing was started"
          shownAtFields={problems.map(({ path }) => path).filter((path) => isShownAtField(path))}
        />
      )}
      <Group justify="space-between" gap="sm">
        <Text size="sm" role="status">
          {wordsOf(props)}
        </Text>
        <Button disabled={!canStart && !lost} loading={isPending} onClick={onStart}>
          {lost ? 'Try again' : draft.isScheduled ? 'Schedule' : 'Start calling'}
        </Button>
      </Group>
    </div>
  );
}
