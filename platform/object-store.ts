import type { Readable } from 'node:stream';
import type * as Sdk from '@aws-sdk/client-s3';

/** Where an S3-compatible store is. */
export interface ObjectStoreSettings {
  readonly region: string;
  /** Omitted: AWS. */
  readonly endpoint?: string | undefined;
}

interface Place {
  readonly bucket: string;
  readonly key: string;
}

/** Objects of an S3-compatible store. Every method rejects with ObjectStoreFailed alone, but for what a body fails of. */
export interface ObjectStore {
  /** @throws what the body fails of, as it is: nothing is stored then */
  put(place: Place, body: Readable, size: number, signal: AbortSignal): Promise<void>;
  /** @param range bytes, both ends included */
  get(place: Place, range: { readonly first: number; readonly last: number }): Promise<AsyncIterable<Buffer>>;
  /** One that is not there counts as removed. */
  remove(place: Place): Promise<void>;
}

/** The store does not answer, or refuses. The message names no key of an object, and no credentials. */
export class ObjectStoreFailed extends Error {
  override readonly name: string = 'ObjectStoreFailed';
}

/** The store answers, and refuses this request as it is: another object may well be taken. */
export class ObjectRefused extends ObjectStoreFailed {
  override readonly name = 'ObjectRefused';
}

/** There is no such object, though the database names it. */
export class ObjectMissing extends ObjectStoreFailed {}

/** That the store has too much to do is about none of its objects. */
const busyStatuses = new Set([408, 429]);

/** Whether an error of the client says that the store has refused the request itself. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('$metadata' in error)) return false;
  const { httpStatusCode: status = 0 } = error.$metadata as { readonly httpStatusCode?: number };
  return status >= 400 && status < 500 && !busyStatuses.has(status);
}

const ignore = (): void => undefined;

async function loadSdk(): Promise<typeof Sdk> {
  // Its version is pinned: what its later versions will need says nothing to an operator on a Node that the README allows.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  return import('@aws-sdk/client-s3');
}

const connectMs = 5_000;
/** How long the store may send nothing, and how long it may take until its answer begins; of an upload, once it has all of it. */
const longestSilenceMs = 30_000;

async function failingPlainly<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown error';
    if (name === 'NoSuchKey') throw new ObjectMissing('the object store has no such object', { cause: error });
    const Failed = isRefusal(error) ? ObjectRefused : ObjectStoreFailed;
    throw new Failed(`the object store could not ${what}: ${name}`, { cause: error });
  }
}

/** Opens nothing yet: the client is loaded by the first request, and finds credentials as the AWS tools do. */
export function createObjectStore(
  { region, endpoint }: ObjectStoreSettings,
  silentMs: number = longestSilenceMs,
): ObjectStore {
  const inTime = { requestTimeout: silentMs };
  let opened: Promise<{ s3: Sdk.S3Client; sdk: typeof Sdk }> | undefined;
  const open = () =>
    (opened ??= loadSdk().then((sdk) => ({
      sdk,
      s3: new sdk.S3Client({
        region,
        ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
        // It would write to the console; what fails is thrown.
        logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
        requestHandler: { connectionTimeout: connectMs, socketTimeout: silentMs, throwOnRequestTimeout: true },
        // Other stores than AWS do not know the newer checksums.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
      }),
    })));
  return {
    async put({ bucket, key }, body, size, signal) {
      const broken = new AbortController();
      // The client does not listen: it would wait for the rest, and the error would end the process.
      body.on('error', (error) => broken.abort(error));
      try {
        await failingPlainly('store an object', async () => {
          const { s3, sdk } = await open();
          const object = { Bucket: bucket, Key: key, Body: body, ContentLength: size, ContentType: 'audio/ogg' };
          const abortSignal = AbortSignal.any([signal, broken.signal]);
          await s3.send(new sdk.PutObjectCommand(object), { abortSignal });
        });
      } catch (error) {
        throw broken.signal.aborted ? broken.signal.reason : error;
      }
    },
    get: ({ bucket, key }, { first, last }) =>
      failingPlainly('read an object', async () => {
        const { s3, sdk } = await open();
        const range = { Bucket: bucket, Key: key, Range: `bytes=${first}-${last}` };
        const { Body: body, ContentLength: length } = await s3.send(new sdk.GetObjectCommand(range), inTime);
        if (length !== last - first + 1) throw new Error('another length');
        return body as AsyncIterable<Buffer>;
      }),
    remove: ({ bucket, key }) =>
      failingPlainly('delete an object', async () => {
        const { s3, sdk } = await open();
        await s3.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }), inTime);
      }),
  };
}
