import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Whose a secret is, as its envelope names it under the authentication tag. */
export interface Place {
  readonly kind: string;
  readonly owner: readonly string[];
}

/** Encrypts secrets at rest. An envelope names the key that sealed it, so keys can be changed one by one. */
export interface SecretBox {
  /** Id of the key that seals. */
  readonly sealsWith: string;
  /** Ids of all keys that open. */
  readonly opensWith: readonly string[];
  seal(secret: string, place: Place): string;
  /**
   * @throws Error if the envelope is damaged, was sealed for another place, or its key is not among the configured ones;
   *   it names the place and never says what the envelope holds
   */
  open(envelope: string, place: Place): string;
  /** The same secret in the current form under the current key, or null if it already is: for `outdial secrets rotate`. */
  reseal(envelope: string, place: Place): string | null;
}

/** Of the version before, bound to no place: opened anywhere, until `outdial secrets rotate` seals it again. */
const unbound = 'v1';
const bound = 'v2';
const nonceBytes = 12;
const tagBytes = 16;

function parseKey(text: string): readonly [id: string, key: Buffer] {
  const separator = text.indexOf(':');
  const id = text.slice(0, separator);
  const key = Buffer.from(text.slice(separator + 1), 'base64');
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(id) || key.length !== 32) {
    throw new Error(
      'OUTDIAL_ENCRYPTION_KEYS must be <id>:<32 bytes in base64>, comma-separated. Make one with: ' +
        "node -e \"console.log('k1:' + require('crypto').randomBytes(32).toString('base64'))\"",
    );
  }
  return [id, key];
}

/** What is authenticated beside the secret. As JSON, so that no two places are spelled alike. */
const boundTo = (header: string, { kind, owner }: Place): Buffer =>
  Buffer.from(header.startsWith(`${unbound}.`) ? header : `${header}.${JSON.stringify([kind, ...owner])}`);

/** For errors and logs. */
const named = ({ kind, owner }: Place): string => `${kind} of ${owner.join(' ')}`;

/**
 * AES-256-GCM with the key's id in the envelope, and the key's id and the place under the authentication tag.
 *
 * @param keys `<id>:<32 bytes in base64>` each; the first seals, all open
 * @throws Error if there is no key or one is malformed
 */
export function createSecretBox(keys: readonly string[]): SecretBox {
  const parsed = keys.map(parseKey);
  const ring = new Map(parsed);
  const current = parsed[0];
  if (current === undefined)
    throw new Error('OUTDIAL_ENCRYPTION_KEYS is empty: secrets cannot be stored without a key.');
  if (ring.size !== parsed.length) throw new Error('OUTDIAL_ENCRYPTION_KEYS has two keys of the same id.');
  const [currentId, currentKey] = current;
  const currentHeader = `${bound}.${currentId}`;

  function seal(secret: string, place: Place): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', currentKey, nonce);
    cipher.setAAD(boundTo(currentHeader, place));
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${currentHeader}.${sealed.toString('base64url')}`;
  }

  function open(envelope: string, place: Place): string {
    const [version = '', keyId = '', body = ''] = envelope.split('.');
    const key = ring.get(keyId);
    if ((version !== bound && version !== unbound) || key === undefined) {
      throw new Error(
        `No key in OUTDIAL_ENCRYPTION_KEYS opens the sealed ${named(place)} (sealed with key ${JSON.stringify(keyId)}).`,
      );
    }
    const bytes = Buffer.from(body, 'base64url');
    if (bytes.length < nonceBytes + tagBytes) throw new Error(`The sealed ${named(place)} is damaged.`);
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
    decipher.setAAD(boundTo(`${version}.${keyId}`, place));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const secret = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
    try {
      return Buffer.concat([secret, decipher.final()]).toString('utf8');
    } catch (error) {
      throw new Error(`The sealed ${named(place)} is damaged, or was sealed for another row.`, { cause: error });
    }
  }

  return {
    sealsWith: currentId,
    opensWith: [...ring.keys()],
    seal,
    open,
    reseal: (envelope, place) => (envelope.startsWith(`${currentHeader}.`) ? null : seal(open(envelope, place), place)),
  };
}
