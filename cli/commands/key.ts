import type { Command } from 'commander';
import { createKey, deactivateKey, listKeys } from '../../api/account/keys.js';
import { listAccounts } from '../../db/queries/all-accounts.js';
import { notFound } from '../../domain/errors.js';
import { answer, withDatabase } from './open.js';

interface Flags {
  readonly json?: true;
}

export function keyCommands(program: Command): void {
  const key = program.command('key').description('API keys: each signs the tokens of one account');
  key
    .command('create')
    .requiredOption('--account <id>', 'the account, acc_…')
    .option('--name <name>', 'what the key is for', '')
    .option('--json', 'print one JSON object')
    .description('Add a key to an account; prints its secret and a token that does not expire')
    .action(async ({ account, name, json }: Flags & { account: string; name: string }) => {
      const made = await withDatabase(async ({ database, secretBox }) => {
        const known = await listAccounts(database.db);
        if (!known.some(({ id }) => id === account)) throw notFound(`There is no account ${account}`);
        return createKey(database.db, secretBox(), account, name);
      });
      answer(json, { keyId: made.key.id, name, secret: made.secret, token: made.token }, [
        `Key     ${made.key.id}`,
        `Secret  ${made.secret}`,
        `Token   ${made.token}`,
        'Secret and token are not shown again.',
      ]);
    });
  key
    .command('list')
    .option('--account <id>', 'only those of this account')
    .option('--json', 'print a JSON array')
    .description('List keys, newest first, without their secrets')
    .action(async ({ account, json }: Flags & { account?: string }) => {
      const keys = await withDatabase(({ database }) => listKeys(database.db, account));
      answer(
        json,
        keys.map(({ id, ...rest }) => ({ keyId: id, ...rest })),
        keys.map(({ id, accountId, name, active, lastUsedAt }) =>
          [id, accountId, active ? 'active' : 'deactivated', lastUsedAt?.toISOString() ?? 'never used', name].join(
            '  ',
          ),
        ),
      );
    });
  key
    .command('deactivate')
    .argument('<key>', 'key_…')
    .description('Refuse every token of a key from now on')
    .action(async (id: string) => {
      await withDatabase(({ database }) => deactivateKey(database.db, id));
      console.log(`${id} is deactivated; its tokens are refused.`);
    });
}
