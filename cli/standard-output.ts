let goesOn = false;

/** From now on the process goes on if nobody reads what it prints: it does more than print. */
export function goOnUnread(): void {
  goesOn = true;
}

/**
 * Ends the process when standard output takes no more. A reader that closes its end, as `head` does, has had enough: that is no
 * failure. A full disk is one: a script would take half an answer for the whole.
 */
export function endWithStandardOutput(): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (goesOn) return;
    if (code === 'EPIPE') process.exit();
    const why = code === 'ENOSPC' ? 'no space is left where it goes' : message;
    console.error(`outdial: standard output cannot be written: ${why}.`);
    process.exit(1);
  });
  // What is told beside the answer may be lost.
  process.stderr.on('error', () => undefined);
}
