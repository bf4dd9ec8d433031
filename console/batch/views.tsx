import { Link } from '@tanstack/react-router';
import classes from './views.module.css';
import type { BatchView } from './search.js';

const parts = [
  { view: undefined, words: 'Overview' },
  { view: 'settings', words: 'Settings' },
  { view: 'left-out', words: 'Rows left out' },
  { view: 'webhooks', words: 'Webhooks' },
  { view: 'changes', words: 'Changes' },
] as const satisfies readonly { view: BatchView | undefined; words: string }[];

interface Props {
  readonly batchId: string;
  readonly view: BatchView | 'overview' | 'records';
}

/** The ways to the parts of a batch call. */
export const Views = ({ batchId, view }: Props) => (
  <nav aria-label="Parts of this batch call" className={classes.views}>
    {parts.map((part) => (
      <Link
        key={part.words}
        to="/batches/$batchId"
        params={{ batchId }}
        search={{ view: part.view }}
        className={classes.view}
        activeOptions={{ exact: true }}
        aria-current={view === (part.view ?? 'overview') ? 'page' : undefined}
      >
        {part.words}
      </Link>
    ))}
  </nav>
);
