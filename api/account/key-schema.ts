import { z } from 'zod';
import type { KeyRow } from '../../db/queries/accounts/keys.js';
import { tokenPermissions } from '../../platform/token-permissions.js';
import { instant } from '../fields.js';

const fields = {
  keyId: z.string().describe('Public id, `key_…`: the claim `apikey` of the tokens that it signs'),
  name: z.string().describe('What the key is for; may be empty'),
  active: z.boolean().describe('False once it has been deleted: its tokens are refused'),
  createdAt: instant().describe('When it was made'),
  lastUsedAt: instant()
    .optional()
    .describe('When a token of it was last accepted, to about half a minute; omitted if none ever was'),
  expiresAt: instant()
    .optional()
    .describe('When its tokens stop working: it was made with a token that expires then; omitted if it stays'),
  tokensNotBefore: instant()
    .optional()
    .describe('Its tokens that were issued before are refused; omitted: none are for that reason'),
  permissions: z
    .array(z.string())
    .optional()
    .describe('What its tokens may do at most, whatever they claim; omitted if that is everything'),
};

const example = {
  keyId: 'key_0198c0e4-3c5d-7a10-8f21-6b7c8d9e0f1a',
  name: 'Reporting',
  active: true,
  createdAt: '2026-03-02T09:20:11.480Z',
  permissions: ['read'],
};

export const ApiKey = z
  .strictObject(fields)
  .meta({ id: 'ApiKey', examples: [{ ...example, lastUsedAt: '2026-03-04T17:02:38.015Z' }] });

export const CreatedApiKey = z
  .strictObject({
    ...fields,
    secret: z.string().describe('Signs tokens (HS256, the text as it is). Not shown again.'),
    token: z
      .string()
      .describe(
        'A token that may do all that the key allows, for as long as the key and the service allow. Not shown again.',
      ),
  })
  .meta({
    id: 'CreatedApiKey',
    examples: [
      {
        ...example,
        secret: 'sk_4f2c0mYb1pXrT9sKqLw8Zd3vNh6Jg5Ea7Ui0Oy1Rc2Q',
        token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJhcGlrZXkiOiJrZXlfMDE5OGMwZTQifQ.c2lnbmF0dXJl',
      },
    ],
  });

export const CreateApiKey = z
  .strictObject({
    name: z.string().max(256).default('').describe('What the key is for; empty if omitted'),
    permissions: z
      .array(z.enum(tokenPermissions))
      .min(1)
      .refine((words) => new Set(words).size === words.length, { error: 'must not name anything twice' })
      .optional()
      .describe(
        'What its tokens may do at most. `read`: GET only. `operate`: everything but changing the guardrails and listening to calls. `guardrails`: ' +
          'reading and changing them. `listen`: hearing live calls and whispering to their agents. `playground`: what the playground page asks. If omitted: all that the token may ' +
          'which makes it; 403 if it names more than that',
      ),
  })
  .meta({ id: 'CreateApiKey', examples: [{ name: 'Reporting', permissions: ['read'] }] });

export const keyBody = (key: KeyRow) => ({
  keyId: key.id,
  name: key.name,
  active: key.active,
  createdAt: key.createdAt.toISOString(),
  ...(key.lastUsedAt === null ? {} : { lastUsedAt: key.lastUsedAt.toISOString() }),
  ...(key.expiresAt === null ? {} : { expiresAt: key.expiresAt.toISOString() }),
  ...(key.tokensNotBefore === null ? {} : { tokensNotBefore: key.tokensNotBefore.toISOString() }),
  ...(key.permissions === null ? {} : { permissions: [...key.permissions] }),
});
