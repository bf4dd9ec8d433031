import classes from './status.module.css';

const kinds: Readonly<Record<string, string | undefined>> = {
  running: classes.live,
  dialing: classes.live,
  incoming: classes.live,
  ringing: classes.live,
  'in-progress': classes.live,
  answered: classes.good,
  completed: classes.good,
  ended: classes.good,
  delivered: classes.good,
  live: classes.good,
  ready: classes.good,
  processing: classes.held,
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

/** Statuses of calls in the words that batch calls have for the same. */
const callWords: Readonly<Record<string, string>> = { answered: 'in-progress', ended: 'answered' };

/** What the status of a call is called among the statuses of batch calls: one that was `ended` was `answered` there. */
export const statusOfCall = (status: string): string => callWords[status] ?? status;

/** The status of a call as a label, in the words that batch calls have. */
export const CallStatus = ({ status }: { readonly status: string }) => <Status status={statusOfCall(status)} />;
