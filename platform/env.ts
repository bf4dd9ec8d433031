import { z } from 'zod';
import { agentSettings } from './agent-env.js';
import { flag, list } from './env-fields.js';
import { unknownSettings, valuesOf } from './env-words.js';
import { LiveKitRegions, LiveKitUrl } from './livekit.js';
import { operatorLimitsOf, operatorSettings } from './operator-env.js';
import { recordingSettings } from './recording-env.js';
import { telemetrySettings } from './telemetry-env.js';

const databaseUrlWords = 'must be a URL such as postgres://user:password@host:5432/outdial';
/** As the driver takes it: also `postgres://user@/db?host=/folder`, and the folder of a socket alone. */
const isDatabaseUrl = (text: string): boolean =>
  text.startsWith('/') || URL.canParse(text.replace('@/', '@localhost/'));
const hostAndPort = /^(?:[^\s:/[\]]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Every setting of every process, read from environment variables. docs/configuration.md is generated from this schema
 * (`npm run docs`), so each field says what it does, its unit and its default.
 */
export const Env = z.object({
  OUTDIAL_DATABASE_URL: z
    .string()
    .refine(isDatabaseUrl, { error: databaseUrlWords })
    .default('postgres://outdial@127.0.0.1:5432/outdial')
    .describe('Postgres connection URL.'),
  OUTDIAL_SERVICE_DATABASE_URL: z
    .string()
    .refine((text) => URL.canParse(text), { error: databaseUrlWords })
    .optional()
    .describe(
      'Read by `outdial migrate` alone: the URL that the roles connect with, if with another PostgreSQL role than `migrate`. It makes that role and gives it what they need.',
    ),
  OUTDIAL_DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(10)
    .describe('Most connections of one process.'),
  OUTDIAL_ENCRYPTION_KEYS: list(
    '',
    'Keys that seal secrets at rest, `<id>:<32 bytes in base64>`, comma-separated. The first seals, all open.',
  ),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(hostAndPort, { error: 'must be host:port, such as temporal.example.com:7233' })
    .default('127.0.0.1:7233')
    .describe("host:port of Temporal's frontend."),
  TEMPORAL_NAMESPACE: z.string().default('default').describe('Temporal namespace.'),
  TEMPORAL_API_KEY: z.string().optional().describe('API key for Temporal Cloud; turns TLS on.'),
  OUTDIAL_TASK_QUEUE: z
    .string()
    .default('outdial')
    .describe("Temporal task queue of Outdial's workers. Each database needs its own in a namespace."),
  OUTDIAL_WORKER_BUILD_ID: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/, { error: 'must be letters, digits and ._+-, at most 128' })
    .optional()
    .describe(
      "Version of this worker for Temporal's Worker Versioning, such as the tag of its image; omitted: it has none, and takes everything.",
    ),
  OUTDIAL_HOST: z.string().default('127.0.0.1').describe('Address the API listens on.'),
  OUTDIAL_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(8080)
    .describe('Port the API listens on; 0 picks one.'),
  OUTDIAL_METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that /metrics and /healthz of this process listen on.'),
  OUTDIAL_METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(0)
    .describe('Port of /metrics and /healthz of this process; 0 picks a free one.'),
  OUTDIAL_PUBLIC_URL: z
    .string()
    .optional()
    .describe('Base URL under which clients reach the API; default http://host:port.'),
  OUTDIAL_PROVIDER: z
    .enum(['livekit', 'simulator'])
    .default('livekit')
    .describe(
      'What carries calls. `simulator` reaches no telephone and marks everything as simulated. Of `outdial up` its --provider decides.',
    ),
  OUTDIAL_LIVEKIT_URL: LiveKitUrl.describe(
    'Address of the LiveKit server of the first region, e.g. `https://livekit.example.com`; for `outdial up` also LIVEKIT_URL.',
  ),
  OUTDIAL_LIVEKIT_API_KEY: z
    .string()
    .optional()
    .describe('API key of that LiveKit server; for `outdial up` also LIVEKIT_API_KEY.'),
  OUTDIAL_LIVEKIT_API_SECRET: z
    .string()
    .optional()
    .describe('Secret of that API key, never logged; for `outdial up` also LIVEKIT_API_SECRET.'),
  OUTDIAL_LIVEKIT_PUBLIC_URL: LiveKitUrl.describe(
    'Address of the LiveKit server of the first region for browsers, if it differs from OUTDIAL_LIVEKIT_URL.',
  ),
  OUTDIAL_LIVEKIT_REGIONS: LiveKitRegions.describe(
    'LiveKit servers of further regions, as JSON: `{"<region>": {"url": "…", "apiKey": "…", "apiSecret": "…"}}`.',
  ),
  OUTDIAL_SIMULATOR_URL: z.string().optional().describe('HTTP address of the carrier simulator.'),
  OUTDIAL_REGIONS: list('default', 'Regions, comma-separated; the first is the default. `auto` is always accepted.'),
  OUTDIAL_DEFAULT_CALLS_PER_SECOND: z.coerce
    .number()
    .min(0.1)
    .max(200)
    .default(1)
    .describe('Calls per second of a new outbound gateway, as carriers start.'),
  OUTDIAL_CALLS_PER_WORKFLOW: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .optional()
    .describe('Calls that one child workflow carries; default depends on the size of the batch.'),
  OUTDIAL_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .optional()
    .describe(
      'Days after which files, metadata, transcripts and webhook payloads of finished batches and calls are deleted; ' +
        'omitted: they are kept.',
    ),
  OUTDIAL_RECORDING_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .optional()
    .describe('Days after which recordings of calls are deleted; omitted: with the rest of the call.'),
  ...recordingSettings,
  OUTDIAL_HISTORY_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .optional()
    .describe(
      'Days after which finished batches and calls are deleted altogether, with their records, attempts and webhook ' +
        'deliveries; omitted: that they were made stays for ever.',
    ),
  ...agentSettings,
  OUTDIAL_ALLOW_INSECURE_WEBHOOKS: flag('Accept http:// webhook endpoints.'),
  OUTDIAL_ALLOW_PRIVATE_WEBHOOKS: flag('Deliver webhooks to private and loopback addresses.'),
  OUTDIAL_ALLOW_PRIVATE_SIP: flag('Accept SIP gateways at private and loopback addresses.'),
  OUTDIAL_MAX_TOKEN_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .optional()
    .describe(
      'Longest life of a token in seconds: one that lives longer, or does not expire, is refused; omitted: any is taken.',
    ),
  OUTDIAL_TRUSTED_PROXIES: list(
    '',
    'Addresses or CIDR ranges, comma-separated, of proxies whose X-Forwarded-For is believed; default none.',
  ),
  OUTDIAL_RATE_LIMIT_PER_SECOND: z.coerce.number().min(1).default(50).describe('Requests per second of one account.'),
  OUTDIAL_RATE_LIMIT_BURST: z.coerce.number().int().min(1).default(200).describe('Requests of one account at once.'),
  ...operatorSettings,
  OUTDIAL_MAX_STORED_MB: z.coerce
    .number()
    .int()
    .min(1)
    .default(2_000)
    .describe('Most megabytes of uploaded files and documents that one account may keep; deleted ones leave room.'),
  OUTDIAL_MAX_OPEN_BATCHES: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_000)
    .describe('Most batch calls of one account that are not finished.'),
  OUTDIAL_MAX_KNOWLEDGE_BASES: z.coerce
    .number()
    .int()
    .min(1)
    .default(2_000)
    .describe('Most knowledge bases of one account.'),
  ...telemetrySettings,
  OUTDIAL_SIGN_IN_FOLDER: z
    .string()
    .optional()
    .describe(
      'Set by `outdial up` for its api: folder of the codes that sign in to the console of this machine, once each.',
    ),
  OUTDIAL_DATA: z.string().default('.outdial').describe('Folder of the embedded parts (`outdial up`, `outdial demo`).'),
  OUTDIAL_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least severe log line written.'),
});

export type Env = z.infer<typeof Env>;

/**
 * Variables that begin like settings and belong to others: docker-compose.yml, the tests, the parts of an agent, and commands
 * that ask the API of a service (docs/command-line.md).
 */
const otherPrograms = [
  'OUTDIAL_URL',
  'OUTDIAL_TOKEN',
  'OUTDIAL_PROFILE',
  'OUTDIAL_DATABASE_PASSWORD',
  'OUTDIAL_SERVICE_DATABASE_PASSWORD',
  'OUTDIAL_REDIS_PASSWORD',
  'OUTDIAL_APP_DATABASE_PASSWORD',
  'OUTDIAL_API_ADDRESS',
  'OUTDIAL_DOMAIN',
  'OUTDIAL_AGENT_STOP_GRACE',
  'OUTDIAL_AGENT_MEMORY',
  'OUTDIAL_METRICS_ADDRESS',
  'OUTDIAL_CUSTOM_API_KEY',
  'OUTDIAL_AGENT_REPORTS',
  'OUTDIAL_TEMPORAL_TEST_SERVER',
  'OUTDIAL_TEST_LOG',
];

/** One sentence for each variable that begins with OUTDIAL_ and is no setting. */
export const unknownVariables = (
  source: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] => unknownSettings(source, [...Object.keys(Env.shape), ...otherPrograms]);

/** What is wrong with one setting. Shows the value only of numbers and enumerations, never of secrets. */
function problemOf({ path, message }: z.core.$ZodIssue, source: Readonly<Record<string, string | undefined>>): string {
  const name = path.join('.');
  const field = Object.entries(Env.shape).find(([each]) => each === name)?.[1];
  const values = field === undefined ? null : valuesOf(field);
  return values === null ? `  ${name}: ${message}` : `  ${name}: must be ${values}, not "${source[name] ?? ''}"`;
}

/** A reserve of a region that there is not would keep nothing free, and nobody would know. */
function unknownRegions(env: Env): string[] {
  const named = Object.keys(operatorLimitsOf(env).reservedAgentSlots ?? {});
  const strangers = named.filter((region) => region !== '*' && !env.OUTDIAL_REGIONS.includes(region));
  return strangers.map((region) => `  OUTDIAL_RESERVED_AGENT_SLOTS: OUTDIAL_REGIONS does not name ${region}`);
}

/**
 * Reads the settings; an empty one counts as not set.
 *
 * @throws Error that names every wrong variable at once
 */
export function readEnv(source: Readonly<Record<string, string | undefined>> = process.env): Env {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim() !== ''));
  const parsed = Env.safeParse(set);
  const lines = new Set(
    parsed.success ? unknownRegions(parsed.data) : parsed.error.issues.map((issue) => problemOf(issue, set)),
  );
  if (parsed.success && lines.size === 0) return parsed.data;
  throw new Error(`These settings cannot be used:\n${[...lines].join('\n')}`);
}
