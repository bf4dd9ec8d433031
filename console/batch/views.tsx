import { Link } from '@tanstack/react-router';
import classes from './views.module.css';
import type { BatchView } from './search.js';

const parts = [
  { view: 'settings', words: 'Settings' },
  { view: 'left-out', words: 'Rows left out' },
  { view: 'webhooks', words: 'Webhooks' },
  { view: 'changes', words: 'Changes' },
] as const satisfies readonly { view: BatchView; words: string }[];

interface Props {
  readonly batchId: string;
  readonly view: BatchView | 'overview' | 'records';
}

/** The ways to the parts of a batch call. */
export const Views = ({ batchId, view }: Props) => {
  const common = { params: { batchId }, className: classes.view, activeOptions: { exact: true } };
  const current = (own: Props['view']) => (view === own ? 'page' : undefined);
  return (
    <nav aria-label="Parts of this batch call" className={classes.views}>
      <Link to="/batches/$batchId" {...common} aria-current={current('overview')}>
        Overview
      </Link>
      <Link to="/batches/$batchId/records" {...common} aria-current={current('records')}>
        Records
      </Link>
      {parts.map((part) => (
        <Link
          key={part.view}
          to="/batches/$batchId"
          search={{ view: part.view }}
          {...common}
          aria-current={current(part.view)}
        >
          {part.words}
        </Link>
      ))}
    </nav>
  );
};
