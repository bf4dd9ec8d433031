import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { knownToken } from '../../api/account/known-token.js';
import { accountNamed } from '../../db/queries/accounts/all.js';
import { listKeyRows } from '../../db/queries/accounts/keys.js';
import { listRevokedTokens, refuseTokensBefore, revokeTokenRow } from '../../db/queries/accounts/revoked-tokens.js';
import { recordByOperator } from '../../db/queries/accounts/suspension.js';
import { notFound } from '../../domain/errors.js';
import { pastInstantOf } from '../moments.js';
import { answer, type DataFlag, dataOption, withDatabase } from './open.js';

interface Revoke extends DataFlag {
  readonly key?: string;
  readonly issuedBefore?: Date;
}

/** @returns what has been done, in words */
async function revokeOne(token: string, flags: DataFlag): Promise<string> {
  return withDatabase(flags, async ({ database: { db }, secretBox }) => {
    const known = await knownToken(db, secretBox(), token, { now: new Date() });
    if (known === null)
      throw notFound('This is not a working token: it is incomplete, has expired, or its key is gone');
    const isNew = await db.transaction().execute(async (tx) => {
      const revoked = await revokeTokenRow(tx, known);
      const { accountId, keyId, tokenHash } = known;
      if (revoked) await recordByOperator(tx, accountId, 'token.revoke', { keyId, tokenHash });
      return revoked;
    });
    return `The token of ${known.keyId} (${known.accountId}) ${isNew ? 'is' : 'was already'} revoked; other tokens of the key go on.`;
  });
}

/** @returns what has been done, in words */
async function revokeOfKey(keyId: string, before: Date | undefined, flags: DataFlag): Promise<string> {
  const { accountId, notBefore } = await withDatabase(flags, ({ database: { db } }) =>
    db.transaction().execute(async (tx) => {
      const refused = await refuseTokensBefore(tx, keyId, before);
      if (refused === null) throw notFound(`There is no key ${keyId}`);
      const details = { keyId, tokensNotBefore: refused.notBefore.toISOString() };
      await recordByOperator(tx, refused.accountId, 'token.revoke-before', details);
      return refused;
    }),
  );
  return `Tokens of ${keyId} (${accountId}) that were issued before ${notBefore.toISOString()} are revoked.`;
}

export function revokeTokenCommand(tokens: Command): void {
  tokens
    .command('revoke')
    .argument('[token]', 'one token, or - to read it from standard input')
    .option('--key <id>', 'all tokens of this key that were issued until now')
    .option('--issued-before <time>', 'with --key: those that were issued before this time', (text: string) =>
      pastInstantOf(text, '--issued-before'),
    )
    .option(...dataOption)
    .description('Refuse one token, or the tokens of a key that were issued before a time, at once and for good')
    .action(async (given: string | undefined, { key, issuedBefore, ...flags }: Revoke) => {
      if ((given === undefined) === (key === undefined)) throw new Error('Give one token, or --key.');
      if (issuedBefore !== undefined && key === undefined) throw new Error('--issued-before belongs to --key.');
      if (key !== undefined) {
        console.log(await revokeOfKey(key, issuedBefore, flags));
        return;
      }
      const token = given === '-' ? (await text(process.stdin)).trim() : (given ?? '');
      console.log(await revokeOne(token, flags));
    });
}

export function listRevokedCommand(tokens: Command): void {
  tokens
    .command('list')
    .option('--account <account>', 'only those of this account: its id or its name')
    .option(...dataOption)
    .option('--json', 'print one JSON object')
    .description('List revoked tokens, and keys whose tokens were revoked up to a time')
    .action(async (flags: DataFlag & { account?: string; json?: true }) => {
      const { tokens, keys } = await withDatabase(flags, async ({ database: { db } }) => {
        const account = flags.account === undefined ? undefined : await accountNamed(db, flags.account);
        const keys = (await listKeyRows(db, account?.id)).flatMap(({ id, accountId, active, tokensNotBefore }) =>
          active && tokensNotBefore !== null ? [{ keyId: id, accountId, tokensNotBefore }] : [],
        );
        return { tokens: await listRevokedTokens(db, account?.id), keys };
      });
      answer(flags.json, { tokens, keys }, [
        ...keys.map(({ keyId, accountId, tokensNotBefore }) =>
          [accountId, keyId, `all that were issued before ${tokensNotBefore.toISOString()}`].join('  '),
        ),
        ...tokens.map(({ accountId, keyId, tokenHash, revokedAt, expiresAt }) => {
          const expires = expiresAt === null ? 'does not expire' : `expires ${expiresAt.toISOString()}`;
          return [accountId, keyId, `token ${tokenHash}`, `revoked ${revokedAt.toISOString()}`, expires].join('  ');
        }),
      ]);
    });
}
