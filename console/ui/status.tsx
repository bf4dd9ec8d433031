import classes from './status.module.css';

const kinds: Readonly<Record<string, string | undefined>> = {
  running: classes.live,
  dialing: classes.live,
  ringing: classes.live,
  'in-progress': classes.live,
  answered: classes.good,
  completed: classes.good,
  ended: classes.good,
  delivered: classes.good,
  paused: classes.held,
  scheduled: classes.held,
  retrying: classes.held,
  cancelling: classes.held,
  failed: classes.bad,
  parse_failed: classes.bad,
  rejected: classes.bad,
  suspended: classes.bad,
};

/** Words for those statuses that do not read as words. */
const words: Readonly<Record<string, string>> = { parse_failed: 'file not usable', 'in-progress': 'in conversation' };

/** A status of the API in words, the same everywhere. */
export const statusSaid = (status: string): string => words[status] ?? status.replaceAll('-', ' ');

/** A status of the API as a label. */
export const Status = ({ status }: { readonly status: string }) => (
  <span className={`${classes.status ?? ''} ${kinds[status] ?? ''}`}>{statusSaid(status)}</span>
);

/** The mark of what no telephone was reached for. */
export const Simulated = () => <span className={`${classes.status ?? ''} ${classes.simulated ?? ''}`}>simulated</span>;
