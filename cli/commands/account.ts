import type { Command } from 'commander';
import { createAccount } from '../../api/account/accounts.js';
import { listAccounts } from '../../db/queries/all-accounts.js';
import { answer, withDatabase } from './open.js';

interface Flags {
  readonly json?: true;
}

export function accountCommands(program: Command): void {
  const account = program
    .command('account')
    .description('Accounts: each has its own agents, numbers, batches and keys');
  account
    .command('create')
    .argument('<name>')
    .description(
      'Make an account; prints a key, its secret and a token that does not expire. Both are shown only here.',
    )
    .option('--json', 'print one JSON object')
    .action(async (name: string, { json }: Flags) => {
      const made = await withDatabase(({ database, secretBox }) => createAccount(database.db, secretBox(), name));
      const flat = { accountId: made.account.id, name, keyId: made.key.id, secret: made.secret, token: made.token };
      answer(json, flat, [
        `Account ${flat.accountId} (${name})`,
        `Key     ${flat.keyId}`,
        `Secret  ${flat.secret}`,
        `Token   ${flat.token}`,
        'Send the token as it is in the Authorization header. Secret and token are not shown again.',
      ]);
    });
  account
    .command('list')
    .description('List accounts')
    .option('--json', 'print a JSON array')
    .action(async ({ json }: Flags) => {
      const accounts = await withDatabase(({ database }) => listAccounts(database.db));
      answer(
        json,
        accounts.map(({ id, name, createdAt }) => ({ accountId: id, name, createdAt })),
        accounts.map(({ id, name, createdAt }) => `${id}  ${createdAt.toISOString()}  ${name}`),
      );
    });
}
