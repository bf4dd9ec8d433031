import { randomUUID } from 'node:crypto';
import { errorOfAnswer, errorWithoutAnswer, refusePage } from './error.js';
import { type Client, createClient } from './generated/client/index.js';
import { keyedPosts } from './generated/keyed.gen.js';
import { Operations } from './generated/sdk.gen.js';
import type {
  AddedToDoNotCall,
  AddToDoNotCallForm,
  BatchCall,
  BatchCallDetail,
  BatchCallReport,
  CreateBatchCallFromRecipients,
  CreateKnowledgeBaseForm,
  KnowledgeBase,
} from './generated/types.gen.js';
import { type Body, fetchRepeatedly } from './repeat.js';
import { type ApiKey, tokensOf } from './token.js';
import { formWith, type Upload } from './upload.js';
import { waitForEnd, type WaitOptions } from './wait.js';

export interface OutdialOptions {
  /** Where the service is, such as `https://outdial.example.com`. */
  readonly url: string;
  /** A token, or what gives one for each request. Either this or `key`. */
  readonly token?: string | (() => string | Promise<string>);
  /** A key that signs short tokens of its own. */
  readonly key?: ApiKey;
  /** How long those are valid; default 600. */
  readonly tokenLifeSeconds?: number;
  /** How often a request is tried again at most; default 4. */
  readonly retries?: number;
  /** The longest `Retry-After` that is waited for; default 60. */
  readonly longestWaitSeconds?: number;
  /** Sends the requests instead of the one of the platform. */
  readonly fetch?: typeof fetch;
}

/** The fields of a batch call that is made from a file. */
export type BatchFields = Omit<CreateBatchCallFromRecipients, 'recipients'> & {
  /** `{"phone_number":"Mobile"}`: names for columns of the file that have other headers in it */
  readonly columns?: Readonly<Record<string, string>>;
};

export interface UploadOptions {
  /** Gives up sending. What the service has already taken stays. */
  readonly signal?: AbortSignal;
}

export interface KeyOption extends UploadOptions {
  /** Of your own, so that another process can try again what this one began; default: one for each call of a method. */
  readonly idempotencyKey?: string;
}

/** @throws TypeError if it is none that can be asked */
function baseUrlOf(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new TypeError(`url: must be an address such as https://outdial.example.com, and is ${url}.`);
  }
  return url.replace(/\/+$/, '');
}

function authOf({ token, key, tokenLifeSeconds = 600 }: OutdialOptions): () => string | Promise<string> {
  if (key !== undefined && token === undefined) return tokensOf(key, tokenLifeSeconds);
  if (token === undefined || key !== undefined) throw new TypeError('Give either `token` or `key`.');
  return typeof token === 'string' ? () => token : token;
}

function connect(options: OutdialOptions): Client {
  /** Of requests on their way. A body that is not in it is a stream. */
  const bodies = new WeakMap<Request, Body>();
  const { retries = 4, longestWaitSeconds = 60 } = options;
  // Looked up for each request, as the platform's may be replaced later.
  const repeat = { retries, longestWaitSeconds, fetch: options.fetch ?? ((...asked) => fetch(...asked)) };
  const client = createClient({
    baseUrl: baseUrlOf(options.url),
    auth: authOf(options),
    throwOnError: true,
    fetch: (request) => fetchRepeatedly(request as Request, bodies.get(request as Request), repeat),
  });
  client.interceptors.request.use((request, asked) => {
    const takesKey = request.method === 'POST' && keyedPosts.has(asked.url);
    if (takesKey && !request.headers.has('idempotency-key')) request.headers.set('idempotency-key', randomUUID());
    const body = (asked.serializedBody ?? asked.body ?? null) as Body | ReadableStream;
    if (!(body instanceof ReadableStream)) bodies.set(request, body);
    return request;
  });
  client.interceptors.response.use((response) => {
    refusePage(response);
    return response;
  });
  client.interceptors.error.use((error, response: Response | undefined, request) =>
    response === undefined ? errorWithoutAnswer(error, request) : errorOfAnswer(response, error),
  );
  return client;
}

/**
 * The service with all its operations, such as `outdial.batchCalls.get({ path: { batchId } })`. Each gives back the body of its
 * answer, or throws an `OutdialError`.
 */
export class Outdial extends Operations {
  constructor(options: OutdialOptions) {
    super({ client: connect(options) });
  }

  /** Makes a batch call from a file (.csv, .xls, .xlsx): `batchCalls.create` for what is not in memory. */
  createBatchFromFile(file: Upload, fields: BatchFields, key: KeyOption = {}): Promise<BatchCall> {
    return this.#upload('/v1/batch-calls', file, fields, key);
  }

  /** Says what `createBatchFromFile` would do. Nothing is stored and no one is called. */
  validateBatchFromFile(file: Upload, fields: BatchFields, options: UploadOptions = {}): Promise<BatchCallReport> {
    return this.#upload('/v1/batch-calls/validate', file, fields, options);
  }

  /** Adds the numbers of a file to the do-not-call list. */
  addToDoNotCallFromFile(
    file: Upload,
    fields: Omit<AddToDoNotCallForm, 'file'> = {},
    key: KeyOption = {},
  ): Promise<AddedToDoNotCall> {
    return this.#upload('/v1/do-not-call', file, fields, key);
  }

  /** Makes a knowledge base from a document. */
  createKnowledgeBaseFromFile(
    file: Upload,
    fields: Omit<CreateKnowledgeBaseForm, 'file'> = {},
    key: KeyOption = {},
  ): Promise<KnowledgeBase> {
    return this.#upload('/v1/knowledge-bases', file, fields, key);
  }

  /** Waits until a batch call has ended, whichever way. @returns it as it is then */
  waitForBatch(batchId: string, options: WaitOptions = {}): Promise<BatchCallDetail> {
    return waitForEnd(
      (signal) => this.batchCalls.get({ path: { batchId }, ...(signal === undefined ? {} : { signal }) }),
      options,
    );
  }

  async #upload<Answer>(
    url: string,
    file: Upload,
    fields: object,
    { idempotencyKey, signal }: KeyOption,
  ): Promise<Answer> {
    const { body, headers } = await formWith(file, { ...fields });
    return this.client.post<{ 201: Answer }, unknown, true, 'data'>({
      ...{ url, body, responseStyle: 'data', throwOnError: true, bodySerializer: null },
      security: [{ name: 'Authorization', type: 'apiKey' }],
      headers: {
        'content-type': null,
        ...headers,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body instanceof FormData ? {} : { duplex: 'half' }),
      ...(signal === undefined ? {} : { signal }),
    });
  }
}
