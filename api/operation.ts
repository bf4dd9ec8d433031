import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Database } from '../db/client.js';
import type { Problem } from '../domain/errors.js';
import type { TrunkAnswer, TrunkEnd } from '../domain/phone/trunk-end.js';
import { noVersions, type WorkersNow } from '../domain/workflow/worker-versions.js';
import type { Env } from '../platform/env.js';
import type { Permissions } from '../platform/token-permissions.js';
import type { ObjectStore } from '../platform/object-store.js';
import type { SecretBox } from '../platform/secret-box.js';
import type { Tracing } from '../platform/tracing.js';

/** What the API asks of Temporal; the composition root connects it. */
interface TemporalPort {
  /** Told after a commit that the outbox has something new, so that it is tried at once. Never throws, never waits. */
  kick(): void;
  /** For /readyz. Never throws. */
  isReachable(): Promise<boolean>;
  /** The versions of the workers as they were some seconds ago. Omitted: they have none. */
  workers?(): WorkersNow;
}

/** The versions of the workers, as far as they are known. */
export const workersOf = ({ temporal }: Pick<AppDeps, 'temporal'>): WorkersNow => temporal.workers?.() ?? noVersions;

/** What the API asks of whatever carries calls; the composition root connects it. */
interface TelephonyPort {
  /** SIP OPTIONS to the gateway. Rejects if the carrier cannot be asked; may take longer than a request should. */
  checkGateway(gateway: TrunkEnd): Promise<TrunkAnswer>;
}

/** What every operation can reach. */
export interface AppDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly env: Env;
  readonly logger: Logger;
  /** Where spans go; omitted: nowhere. */
  readonly tracing?: Tracing;
  readonly temporal: TemporalPort;
  readonly telephony: TelephonyPort;
  /** The service's own key with a provider of models (catalogue id), or undefined. */
  readonly serviceKey: (providerId: string) => string | undefined;
  /** Recordings that were moved out of PostgreSQL; omitted: none ever was. */
  readonly recordingObjects?: ObjectStore;
  /** Folder of the built pages; omitted: none are served. */
  readonly pagesFolder?: string;
  readonly clock: () => Date;
  /** Whether a response that does not match its schema is an error (tests) or only logged (production). */
  readonly strictResponses?: boolean;
}

/** Which body an error has; the shapes are in plugins/errors.ts. */
export type ErrorFamily = 'agents' | 'batch-calls' | 'sip' | 'account';

/** Who asks, from the verified token. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  /** As sent: the playground's address embeds it. */
  readonly token: string;
  /** Network address, for the audit log. */
  readonly address: string;
  /** When the token ends, by itself or with its key; null: never. */
  readonly expiresAt: Date | null;
  /** What the token and its key both allow; null: everything. */
  readonly permissions: Permissions;
  /** False for a token that only reads: secrets inside of answers are masked for it. */
  readonly seesSecrets: boolean;
}

export interface OperationRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  /** Method and URL pattern, such as `POST /v2/sip/call`. */
  readonly route: string;
  /** For headers and for multipart parts. */
  readonly raw: FastifyRequest;
}

type Schema = z.ZodType;
type Output<S> = S extends Schema ? z.output<S> : undefined;
export type Responses = Readonly<Record<number, Schema>>;

/** A status that the operation documents, with the body that belongs to it. */
type Answer<R extends Responses> = {
  [Status in keyof R & number]: {
    readonly status: Status;
    readonly body: z.output<R[Status]>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof R & number];

interface OperationSchema<Params, Query, Body, R> {
  readonly summary: string;
  /** Markdown for the reference page: decisions that a client must know. */
  readonly description?: string;
  readonly params?: Params;
  /** Unknown parameters are ignored. */
  readonly query?: Query;
  /**
   * JSON, validated before the handler runs; a body of optional fields may be omitted. Null is an omitted field; in PATCH,
   * null in one of the body's own fields clears it and reaches the schema: `.nullish()` if it may be cleared.
   */
  readonly body?: Body;
  /**
   * Problems of the body that the schema cannot see: rules between fields, and what depends on settings. Runs whatever the
   * schema has found, so that all problems are reported at once: it must accept any JSON.
   */
  bodyProblems?(body: unknown, deps: AppDeps): readonly Problem[];
  /** A body that the handler reads and checks by itself; here for the reference only. */
  readonly documentedBody?: {
    readonly contentType: 'application/json' | 'multipart/form-data';
    readonly schema: Schema;
    /** Besides JSON a multipart/form-data is taken, such as one with a file. */
    readonly form?: Schema;
  };
  readonly response: R;
  /** Statuses of failures beyond those that follow from method, path and body (see operation-mount.ts). */
  readonly errors?: readonly number[];
}

interface OperationBasics {
  /** `<resource>.<verb>`: its operationId, from which clients make the names of their functions. Never changes. */
  readonly name: `${string}.${string}`;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Fastify's notation: `/v1/agents/:agentId` */
  readonly url: string;
  readonly family: ErrorFamily;
  /** Heading in the reference. */
  readonly tag: string;
  /** It takes an Idempotency-Key: its handler runs in `withIdempotency`. */
  readonly idempotent?: boolean;
  /** Whether a token with only the `playground` permission may ask it. */
  readonly playground?: boolean;
  /** Reads or changes the guardrails: changing them takes the `guardrails` permission, which `operate` does not hold. */
  readonly ofGuardrails?: boolean;
  /** Hears a live call or speaks to its agent: takes the `listen` permission, which `operate` does not hold. */
  readonly listening?: boolean;
  /** Its answer is itself a secret: a token with only the `read` permission may not ask it. */
  readonly answersSecret?: boolean;
  /** Requests of one account in a minute; omitted: only the account's own limit. */
  readonly perMinute?: number;
  /** Most entries of an array in its body; default 1,000. */
  readonly mostEntries?: number;
  /** Most values in its body, those in arrays and objects counted; default 20,000, or twice `mostEntries`. */
  readonly mostValues?: number;
  /** Largest body in bytes; default 1 MB. */
  readonly bodyLimit?: number;
}

export interface OperationDefinition<
  Params extends Schema | undefined,
  Query extends Schema | undefined,
  Body extends Schema | undefined,
  R extends Responses,
> extends OperationBasics {
  readonly schema: OperationSchema<Params, Query, Body, R>;
  handler(
    request: OperationRequest<Output<Params>, Output<Query>, Output<Body>>,
    deps: AppDeps,
  ): Promise<Answer<NoInfer<R>>>;
}

/** An operation whose types have been checked and are no longer needed: what app.ts mounts. */
export interface Operation extends OperationBasics {
  readonly schema: OperationSchema<Schema | undefined, Schema | undefined, Schema | undefined, Responses>;
  handler(
    request: OperationRequest<unknown, unknown, unknown>,
    deps: AppDeps,
  ): Promise<{ readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }>;
}

/** Whether the reference shows a schema under a name: its own, or that of the schema that it was made of. */
function hasName(schema: z.core.$ZodType): boolean {
  if (z.globalRegistry.get(schema)?.id !== undefined) return true;
  const { parent } = schema._zod;
  return parent !== undefined && hasName(parent);
}

/** Names the bodies that have no name yet for the operation, so that clients have a type for each. */
function nameBodies({ name, schema: { body, documentedBody, response } }: Operation): void {
  const base = name.replace(/(?:^|\.)(\w)/g, (_dot, letter: string) => letter.toUpperCase());
  const add = (schema: Schema | undefined, id: string) => {
    if (schema?._zod.def.type !== 'object' || hasName(schema)) return;
    z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
  };
  add(body ?? documentedBody?.schema, `${base}Request`);
  for (const [status, schema] of Object.entries(response)) {
    add(schema, `${base}Response${Object.keys(response).length > 1 ? status : ''}`);
  }
}

/** One operation of the API: what it takes, what it answers, and its handler, each checked against the other. */
export function operation<
  R extends Responses,
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
>(definition: OperationDefinition<Params, Query, Body, R>): Operation {
  // The mount validates params, query and body with these very schemas before it calls the handler.
  nameBodies(definition);
  return definition;
}
