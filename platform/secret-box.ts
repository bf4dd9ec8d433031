import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts secrets at rest. An envelope names the key that sealed it, so keys can be changed one by one. */
export interface SecretBox {
  seal(secret: string): string;
  /** @throws Error where the envelope is damaged or its key is not among the configured ones; never says what it holds. */
  open(envelope: string): string;
  /** The same secret under the current key, or null where it already is: for `outdial secrets rotate`. */
  reseal(envelope: string): string | null;
}

const version = 'v1';
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

/**
 * AES-256-GCM with the key's id in the envelope and under the authentication tag.
 *
 * @param keys `<id>:<32 bytes in base64>` each; the first seals, all open
 * @throws Error where there is no key or one is malformed
 */
export function createSecretBox(keys: readonly string[]): SecretBox {
  const parsed = keys.map(parseKey);
  const ring = new Map(parsed);
  const current = parsed[0];
  if (current === undefined)
    throw new Error('OUTDIAL_ENCRYPTION_KEYS is empty: secrets cannot be stored without a key.');
  if (ring.size !== parsed.length) throw new Error('OUTDIAL_ENCRYPTION_KEYS has two keys of the same id.');
  const [currentId, currentKey] = current;

  const headerOf = (keyId: string) => `${version}.${keyId}`;

  function seal(secret: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', currentKey, nonce);
    cipher.setAAD(Buffer.from(headerOf(currentId)));
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${headerOf(currentId)}.${sealed.toString('base64url')}`;
  }

  function open(envelope: string): string {
    const [found, keyId = '', body = ''] = envelope.split('.');
    const key = ring.get(keyId);
    if (found !== version || key === undefined) {
      throw new Error(
        `No key in OUTDIAL_ENCRYPTION_KEYS opens this secret (sealed with key ${JSON.stringify(keyId)}).`,
      );
    }
    const bytes = Buffer.from(body, 'base64url');
    if (bytes.length < nonceBytes + tagBytes) throw new Error('A sealed secret is damaged.');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(headerOf(keyId)));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const secret = bytes.subarray(nonceBytes, -tagBytes);
    return Buffer.concat([decipher.update(secret), decipher.final()]).toString('utf8');
  }

  return {
    seal,
    open,
    reseal: (envelope) => (envelope.startsWith(`${headerOf(currentId)}.`) ? null : seal(open(envelope))),
  };
}
