import { type Command, Option } from 'commander';
import { createKey, deactivateKey, listKeys } from '../../api/account/keys.js';
import { listAccounts } from '../../db/queries/accounts/all.js';
import { notFound } from '../../domain/errors.js';
import { type TokenPermission, tokenPermissions } from '../../platform/token-permissions.js';
import { answer, type DataFlag, dataOption, withDatabase } from './open.js';

interface Flags extends DataFlag {
  readonly json?: true;
}

interface Create extends Flags {
  readonly account: string;
  readonly name: string;
  readonly permissions?: TokenPermission[];
}

export function keyCommands(program: Command): void {
  const key = program.command('key').description('API keys: each signs the tokens of one account');
  key
    .command('create')
    .requiredOption('--account <id>', 'the account, acc_…')
    .option('--name <name>', 'what the key is for', '')
    .addOption(
      new Option('--permissions <names...>', 'what its tokens may do at most; omitted: everything').choices([
        ...tokenPermissions,
      ]),
    )
    .option(...dataOption)
    .option('--json', 'print one JSON object')
    .description('Add a key to an account; prints its secret and a token that lives as long as the service allows')
    .action(async ({ account, name, permissions, json, ...flags }: Create) => {
      const made = await withDatabase(flags, async ({ env, database, secretBox }) => {
        const life = { longestTokenSeconds: env.OUTDIAL_MAX_TOKEN_SECONDS };
        const known = await listAccounts(database.db);
        if (!known.some(({ id }) => id === account)) throw notFound(`There is no account ${account}`);
        return createKey(database.db, secretBox(), account, name, permissions ?? null, life);
      });
      const limited = permissions === undefined ? {} : { permissions };
      answer(json, { keyId: made.key.id, name, ...limited, secret: made.secret, token: made.token }, [
        `Key     ${made.key.id}${permissions === undefined ? '' : ` (${permissions.join(', ')} only)`}`,
        `Secret  ${made.secret}`,
        `Token   ${made.token}`,
        'Secret and token are not shown again.',
      ]);
    });
  key
    .command('list')
    .option('--account <id>', 'only those of this account')
    .option(...dataOption)
    .option('--json', 'print a JSON array')
    .description('List keys, newest first, without their secrets')
    .action(async ({ account, json, ...flags }: Flags & { account?: string }) => {
      const keys = await withDatabase(flags, ({ database }) => listKeys(database.db, account));
      answer(
        json,
        keys.map(({ id, ...rest }) => ({ keyId: id, ...rest })),
        keys.map(({ id, accountId, name, active, lastUsedAt, permissions }) =>
          [
            id,
            accountId,
            active ? 'active' : 'deactivated',
            lastUsedAt?.toISOString() ?? 'never used',
            permissions?.join(',') ?? 'everything',
            name,
          ].join('  '),
        ),
      );
    });
  key
    .command('deactivate')
    .argument('<key>', 'key_…')
    .option(...dataOption)
    .description('Refuse every token of a key from now on')
    .action(async (id: string, flags: DataFlag) => {
      await withDatabase(flags, ({ database }) => deactivateKey(database.db, id));
      console.log(`${id} is deactivated; its tokens are refused.`);
    });
}
