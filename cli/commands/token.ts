import { type Command, InvalidArgumentError, Option } from 'commander';
import { issueToken } from '../../api/account/keys.js';
import { type TokenPermission, tokenPermissions } from '../../platform/token-permissions.js';
import { answer, type DataFlag, dataOption, withDatabase } from './open.js';
import { listRevokedCommand, revokeTokenCommand } from './revoke-token.js';

const secondsPer: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 };

/** "90", "15m", "12h", "30d" → seconds */
function parseTtl(text: string): number {
  const [, amount, unit = ''] = /^([1-9]\d{0,8})([smhd]?)$/.exec(text) ?? [];
  const factor = secondsPer[unit];
  if (amount === undefined || factor === undefined) {
    throw new InvalidArgumentError('A number of seconds, or a number with s, m, h or d: 3600, 15m, 12h, 30d.');
  }
  return Number(amount) * factor;
}

interface Flags extends DataFlag {
  readonly key: string;
  readonly ttl?: number;
  readonly permissions?: TokenPermission[];
  readonly json?: true;
}

export function tokenCommands(program: Command): void {
  const tokens = program.command('token').description('Tokens: what clients send in the Authorization header');
  tokens
    .command('issue')
    .description('Sign a token with a key of the account that it is for')
    .requiredOption('--key <id>', 'the key that signs it, key_…')
    .option(
      '--ttl <time>',
      'how long it is valid, as 3600, 15m, 12h, 30d; omitted: until the key is deactivated',
      parseTtl,
    )
    .addOption(
      new Option('--permissions <names...>', 'what it may do; omitted: all that the key may').choices([
        ...tokenPermissions,
      ]),
    )
    .option(...dataOption)
    .option('--json', 'print one JSON object')
    .action(async ({ key, ttl, permissions, json, ...flags }: Flags) => {
      const token = await withDatabase(flags, ({ env, database, secretBox }) => {
        const most = env.OUTDIAL_MAX_TOKEN_SECONDS;
        if (ttl !== undefined && most !== undefined && ttl > most) {
          throw new Error(`No token lives longer than the ${most} seconds of OUTDIAL_MAX_TOKEN_SECONDS.`);
        }
        const ttlSeconds = ttl ?? most;
        return issueToken(database.db, secretBox(), key, {
          ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
          ...(permissions === undefined ? {} : { permissions }),
        });
      });
      answer(json, { token }, [token]);
    });
  revokeTokenCommand(tokens);
  listRevokedCommand(tokens);
}
