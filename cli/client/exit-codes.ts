/** How the commands that ask the API end. docs/command-line.md has the same table. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** The command line, or what it sends, cannot be used as it is. */
  usage: 2,
  /** No token, one that is refused, or one that may not do this. */
  notAllowed: 3,
  notFound: 4,
  /** The thing is in a state that does not allow it. */
  conflict: 5,
  /** No answer, or one that says to try again later. */
  unavailable: 6,
  /** A batch call that was watched has been cancelled. */
  cancelled: 7,
  interrupted: 130,
} as const;

/** A failure with words for the person at the terminal, and the code that the program ends with. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  /** When the service says that it may be asked again. */
  readonly retryAfterMs: number | undefined;
  /** Whether asking again soon may help. */
  readonly mayPass: boolean;
  /** Whether what was asked for may have been done, although no answer says so. */
  readonly mayBeDone: boolean;
  constructor(
    readonly exitCode: number,
    message: string,
    {
      retryAfterMs,
      mayPass = true,
      mayBeDone = false,
      ...options
    }: ErrorOptions & { readonly retryAfterMs?: number; readonly mayPass?: boolean; readonly mayBeDone?: boolean } = {},
  ) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
    this.mayPass = mayPass;
    this.mayBeDone = mayBeDone;
  }
}

/** The command line cannot be used as it is. */
export const wrongUsage = (message: string): CommandFailed => new CommandFailed(exitCodes.usage, message);

/** The exit code of an answer's HTTP status. */
export function exitCodeOf(status: number): number {
  if (status === 401 || status === 403) return exitCodes.notAllowed;
  if (status === 404) return exitCodes.notFound;
  if (status === 409) return exitCodes.conflict;
  // 502 and 504 are of a proxy before a service that does not answer.
  if ([429, 502, 503, 504].includes(status)) return exitCodes.unavailable;
  return status >= 400 && status < 500 ? exitCodes.usage : exitCodes.failed;
}
