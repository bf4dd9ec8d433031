import { createCipheriv, randomBytes } from 'node:crypto';

/**
 * Seals a secret as the version before did, which named no place.
 *
 * @param key `<id>:<32 bytes in base64>`
 */
export function sealedUnbound(key: string, secret: string): string {
  const [id = '', text = ''] = key.split(':');
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(text, 'base64'), nonce);
  cipher.setAAD(Buffer.from(`v1.${id}`));
  const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `v1.${id}.${sealed.toString('base64url')}`;
}
