import { Alert, List } from '@mantine/core';
import { Refused, wordsOf } from '../api/refused.js';

interface Props {
  /** What a request was refused with; null: nothing. */
  readonly error: unknown;
  /** What could not be done: `The batch call was not paused`. */
  readonly title: string;
  /** Paths of problems that stand at their fields already. */
  readonly shownAtFields?: readonly string[];
}

/** What the API has refused, in its words. */
export function Problem({ error, title, shownAtFields = [] }: Props) {
  if (error === null || error === undefined) return null;
  const problems = error instanceof Refused ? error.problems : [];
  const others = problems.filter(({ path }) => !shownAtFields.includes(path));
  return (
    <Alert color="red" role="alert" title={title}>
      {wordsOf(error)}
      {others.length > 0 && (
        <List size="sm" mt="xs">
          {others.map(({ path, message }) => (
            <List.Item key={`${path}${message}`}>{path === '' ? message : `${path}: ${message}`}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
