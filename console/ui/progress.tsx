import type { Schemas } from '../api/client.js';
import classes from './progress.module.css';
import { figure } from './words.js';

type Counts = Schemas['CallCounts'];

/** What the bar is made of: each status of a call is in exactly one segment, so the segments add up to all calls. */
const segments = [
  { name: 'answered', of: ['answered'], style: classes.answered },
  { name: 'not reached', of: ['failed', 'not-answered', 'rejected', 'missed', 'abandoned'], style: classes.unreached },
  { name: 'live', of: ['dialing', 'in-progress'], style: classes.live },
  { name: 'to be retried', of: ['retrying'], style: classes.retrying },
  { name: 'not called yet', of: ['pending'], style: classes.pending },
  { name: 'cancelled', of: ['cancelled'], style: classes.cancelled },
] as const satisfies readonly { name: string; of: readonly (keyof Counts)[]; style: string | undefined }[];

/** How many calls each segment stands for, in the order of the bar. */
export const segmentsOf = (counts: Counts) =>
  segments.map(({ name, of, style }) => ({ name, style, count: of.reduce((sum, status) => sum + counts[status], 0) }));

interface Props {
  readonly counts: Counts;
  /** Whether the figures stand below the bar. */
  readonly legend?: boolean;
}

/** How far a batch is: a bar whose segments add up to all its calls. */
export function Progress({ counts, legend = false }: Props) {
  const shown = segmentsOf(counts);
  const total = shown.reduce((sum, { count }) => sum + count, 0);
  const present = shown.filter(({ count }) => count > 0);
  const said = present.map(({ name, count }) => `${figure(count)} ${name}`);
  return (
    <div>
      <div className={classes.bar} role="img" aria-label={`${figure(total)} calls: ${said.join(', ')}`}>
        {present.map(({ name, style, count }) => (
          <span
            key={name}
            className={`${classes.segment ?? ''} ${style ?? ''}`}
            style={{ flexGrow: count }}
            data-segment={name}
            data-count={count}
          />
        ))}
      </div>
      {legend && (
        <ul className={classes.legend}>
          {shown
            .filter(({ count, name }) => count > 0 || name === 'answered')
            .map(({ name, style, count }) => (
              <li key={name}>
                <span className={`${classes.dot ?? ''} ${style ?? ''}`} aria-hidden="true" />
                <b>{figure(count)}</b> {name}
              </li>
            ))}
          <li>
            <b>{figure(total)}</b> in all
          </li>
        </ul>
      )}
    </div>
  );
}
