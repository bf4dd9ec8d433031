import { createHash } from 'node:crypto';
import { secretPlaces } from '../domain/account/secret-places.js';
import type { Db } from '../db/client.js';
import {
  findStoredAnswer,
  removeOldAnswers,
  storeAnswer,
  takeIdempotencyKey,
  type IdempotencyKey,
  type StoredAnswer,
} from '../db/queries/accounts/idempotency.js';
import { conflict, Failure, invalid } from '../domain/errors.js';
import type { AppDeps, Caller, OperationRequest } from './operation.js';

interface AnyAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Asked = Pick<OperationRequest<unknown, unknown, unknown>, 'caller' | 'raw' | 'route' | 'params' | 'body'>;

/** Replaces the caller's token in a stored answer: JSON escapes this character, so no body contains it. */
const tokenPlace = '\0';

/** An answer's body as it is stored. It may contain the caller's token (`playgroundUrl`), which no one else may get. */
const withoutToken = (body: unknown, { token }: Caller): string => JSON.stringify(body).replaceAll(token, tokenPlace);

/** A stored body, for who asks now. */
const withToken = (stored: string, { token }: Caller): unknown =>
  JSON.parse(stored.replaceAll(tokenPlace, () => token));

/** The same content gives the same text, whatever the order of its keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) =>
    typeof child === 'object' && child !== null && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  );
}

const hashOf = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex');

const fingerprintOf = ({ route, params }: Asked, parts: unknown): string => hashOf([route, params ?? {}, parts]);

/**
 * Of what was sent, which is the same for every version. A handler that reads its body itself, as of forms, says in `parts` what was sent.
 * It names the fingerprint that it is stored beside: the version before knows only that one, and replaces it alone. It names what the
 * caller may do: the answer to a stronger token is not repeated to a weaker one.
 */
const sentFingerprintOf = (fingerprint: string, { raw, route, params, body, caller }: Asked, parts: unknown): string =>
  hashOf([fingerprint, route, params ?? {}, body === undefined ? parts : (raw.body ?? null), caller.permissions]);

function sentKey({ raw, caller }: Asked): IdempotencyKey | null {
  const header = raw.headers['idempotency-key'];
  if (header === undefined) return null;
  if (typeof header !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(header)) {
    const message = 'must be 1 to 255 printable ASCII characters';
    throw invalid(`Idempotency-Key ${message}`, [{ path: 'Idempotency-Key', code: 'INVALID_VALUE', message }]);
  }
  return { keyId: caller.keyId, idempotencyKey: header };
}

/**
 * Runs the transaction of an operation that creates or dials, at most once per Idempotency-Key and 24 hours. The answer to
 * the key is stored, sealed, in that same transaction: there is never one without the other. Without the header it is just
 * the transaction.
 *
 * @param parts what makes two requests the same besides route and path: the parsed fields, and a file's hash
 * @param work makes the change and its answer; what it throws is not stored, so the key stays usable
 * @param finish waits, after the commit, for what the answer should still tell; its answer replaces the stored one
 * @throws Failure `conflict` while the first request with this key runs, `unprocessable` if its content was another
 */
export async function withIdempotency<Answer extends AnyAnswer>(
  request: Asked,
  { database: { db }, secretBox }: AppDeps,
  parts: unknown,
  work: (tx: Db) => Promise<Answer>,
  finish: (answer: Answer) => Promise<Answer> = (answer) => Promise.resolve(answer),
): Promise<Answer> {
  const key = sentKey(request);
  if (key === null) return finish(await db.transaction().execute(work));

  const fingerprint = fingerprintOf(request, parts);
  const sentFingerprint = sentFingerprintOf(fingerprint, request, parts);
  /** Fields that mean the same, or the same bytes: another version may have read them with other defaults. */
  const isSame = (stored: StoredAnswer): boolean =>
    stored.fingerprint === fingerprint ||
    (stored.sentFingerprint !== null &&
      stored.sentFingerprint === sentFingerprintOf(stored.fingerprint, request, parts));
  const place = secretPlaces.storedAnswer(request.caller.accountId, key.keyId, key.idempotencyKey);
  const store = (tx: Db, { status, body }: Answer) =>
    storeAnswer(
      tx,
      key,
      { accountId: request.caller.accountId, route: request.route },
      { fingerprint, sentFingerprint, status, bodySealed: secretBox.seal(withoutToken(body, request.caller), place) },
    );
  const { answer, replayed } = await db.transaction().execute(async (tx) => {
    if (!(await takeIdempotencyKey(tx, key))) throw conflict('A request with this Idempotency-Key is still running');
    const stored = await findStoredAnswer(tx, key);
    if (stored === null) {
      const made = await work(tx);
      await store(tx, made);
      await removeOldAnswers(tx);
      return { answer: made, replayed: false };
    }
    if (!isSame(stored)) {
      throw new Failure('unprocessable', 'This Idempotency-Key was used with another request');
    }
    const again: unknown = {
      status: stored.status,
      body: withToken(secretBox.open(stored.bodySealed, place), request.caller),
      headers: { 'idempotent-replayed': 'true' },
    };
    return { answer: again as Answer, replayed: true };
  });
  if (replayed) return answer;
  const finished = await finish(answer);
  if (finished !== answer) await store(db, finished);
  return finished;
}
