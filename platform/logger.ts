import { pino, type DestinationStream, type Logger } from 'pino';

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

/** @param role which of the processes writes: api, worker, dialer, … */
export function createLogger(role: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { role },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: depths.flatMap((depth) => secretFields.map((field) => depth + field)), censor: '[secret]' },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
