import { pino, type DestinationStream, type Logger } from 'pino';
import { errorFields, withoutNumbers } from './error-fields.js';

export type { Logger } from 'pino';

/** Fields whose values never reach a log line, at whichever of the first levels they are. */
const secretFields = [
  'authorization',
  'password',
  'secret',
  'token',
  'apiKey',
  'apiSecret',
  'auth_password_sealed',
  'secret_sealed',
  'webhook_secret_sealed',
  'credentials',
];
const depths = ['', '*.', '*.*.', '*.*.*.'];

const callPrefix = 'call_';

/** The id of a call as API, console and webhooks name it, whichever form it was logged in. */
const publicCallId = (id: unknown): unknown =>
  typeof id !== 'string' || id.startsWith(callPrefix) ? id : `${callPrefix}${id}`;

/** A room may be named after the callee's number (`roomPrefix`). */
const roomWithoutNumber = (room: unknown): unknown => (typeof room === 'string' ? withoutNumbers(room) : room);

/** Attempts in a line about several. */
const publicAttempts = (attempts: unknown): unknown =>
  Array.isArray(attempts)
    ? attempts.map((attempt: unknown) =>
        typeof attempt === 'object' && attempt !== null && 'callId' in attempt
          ? { ...attempt, callId: publicCallId(attempt.callId) }
          : attempt,
      )
    : attempts;

/** @param role which of the processes writes: api, worker, dialer, … */
export function createLogger(role: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { role },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { callId: publicCallId, attempts: publicAttempts, room: roomWithoutNumber, err: errorFields },
    redact: { paths: depths.flatMap((depth) => secretFields.map((field) => depth + field)), censor: '[secret]' },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
