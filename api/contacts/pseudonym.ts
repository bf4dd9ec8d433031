import { createHash } from 'node:crypto';

/**
 * What the audit log calls a person: the same for the same number of an account, and no number. It can be told whether an
 * entry is about a number that one knows; who has all numbers there are can of course try them.
 */
export const pseudonymOf = (accountId: string, e164: string): string =>
  `contact_${createHash('sha256').update(`${accountId} ${e164}`).digest('hex').slice(0, 24)}`;
