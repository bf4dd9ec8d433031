import { type Command, InvalidArgumentError, Option } from 'commander';
import { createAccount } from '../../api/account/accounts.js';
import {
  allDialingGateways,
  resumeAccount,
  resumeServiceDialing,
  stopServiceDialing,
  suspendAccount,
} from '../../db/queries/accounts/suspension.js';
import { accountNamed, type ListedAccount, listAccounts } from '../../db/queries/accounts/all.js';
import { dialingGateways } from '../../db/queries/dialer/stop-dialing.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import { type TokenPermission, tokenPermissions } from '../../platform/token-permissions.js';
import { answer, type DataFlag, dataOption, withDatabase } from './open.js';

interface Flags extends DataFlag {
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
      'Create an account; prints a key, its secret and a token that lives as long as the service allows. Both are shown only here.',
    )
    .addOption(
      new Option(
        '--permissions <names...>',
        'what tokens of its first key may do at most; omitted: everything',
      ).choices([...tokenPermissions]),
    )
    .option(...dataOption)
    .option('--json', 'print one JSON object')
    .action(async (name: string, { json, permissions, ...flags }: Flags & { permissions?: TokenPermission[] }) => {
      const made = await withDatabase(flags, ({ env, database, secretBox }) => {
        const longestTokenSeconds = env.OUTDIAL_MAX_TOKEN_SECONDS;
        return createAccount(database.db, secretBox(), name, { longestTokenSeconds, permissions: permissions ?? null });
      });
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
    .option(...dataOption)
    .option('--json', 'print a JSON array')
    .action(async ({ json, ...flags }: Flags) => {
      const accounts = await withDatabase(flags, ({ database }) => listAccounts(database.db));
      answer(
        json,
        accounts.map(({ id, name, createdAt, suspendedAt, suspendedReason, dialingStoppedAt }) => ({
          accountId: id,
          name,
          createdAt,
          ...(suspendedAt === null ? {} : { suspendedAt, suspendedReason }),
          ...(dialingStoppedAt === null ? {} : { dialingStoppedAt }),
        })),
        accounts.map((each) => `${each.id}  ${each.createdAt.toISOString()}  ${stateOf(each)}  ${each.name}`),
      );
    });
  suspension(account);
}

const stateOf = ({ suspendedAt, suspendedReason, dialingStoppedAt }: ListedAccount): string => {
  if (suspendedAt !== null) {
    return `suspended since ${suspendedAt.toISOString()}${suspendedReason === null ? '' : ` (${suspendedReason})`}`;
  }
  return dialingStoppedAt === null ? 'active' : 'has stopped dialing';
};

function suspension(account: Command): void {
  account
    .command('suspend')
    .argument('<account>', 'its id, acc_…, or its name')
    .option('--reason <text>', 'shown to users of its tokens, and by `account list`', reasonText)
    .option('--hang-up', 'hang up its live calls, too')
    .option(...dataOption)
    .description('Refuse the tokens of an account, dial nothing of it and take no calls to its numbers')
    .action(async (text: string, { reason, hangUp, ...flags }: DataFlag & { reason?: string; hangUp?: true }) => {
      const { id, name, isNew } = await withDatabase(flags, async ({ database: { db } }) => {
        const found = await accountNamed(db, text);
        const how = { reason: reason ?? null, hangUp: hangUp === true };
        return { ...found, isNew: await db.transaction().execute((tx) => suspendAccount(tx, found.id, how)) };
      });
      const state = isNew ? 'is suspended' : 'was suspended before';
      const calls = hangUp === true ? 'Live calls are being hung up.' : 'Live calls go on; --hang-up ends them.';
      console.log(`${id} (${name}) ${state}: its tokens are refused and nothing of it is dialed. ${calls}`);
    });
  account
    .command('resume')
    .argument('<account>', 'its id, acc_…, or its name')
    .option(...dataOption)
    .description('End the suspension of an account')
    .action(async (text: string, flags: DataFlag) => {
      const { id, name, wasSuspended } = await withDatabase(flags, async ({ database: { db } }) => {
        const found = await accountNamed(db, text);
        const resumed = await db.transaction().execute((tx) => resumeAccount(tx, found.id));
        if (resumed) await wakeGateways(db, await dialingGateways(db, found.id));
        return { ...found, wasSuspended: resumed };
      });
      console.log(wasSuspended ? `${id} (${name}) is active again.` : `${id} (${name}) was not suspended.`);
    });
}

/** The stop of all dialing, over all accounts. */
export function dialingCommands(program: Command): void {
  program
    .command('stop-dialing')
    .description('Dial nothing of any account until `outdial resume-dialing`; live calls go on')
    .option(...dataOption)
    .action(async (flags: DataFlag) => {
      const isNew = await withDatabase(flags, ({ database: { db } }) => db.transaction().execute(stopServiceDialing));
      console.log(`All dialing of all accounts ${isNew ? 'is' : 'was already'} stopped.`);
    });
  program
    .command('resume-dialing')
    .description('Let all accounts dial again, but those that are suspended or have stopped their own dialing')
    .option(...dataOption)
    .action(async (flags: DataFlag) => {
      const wasStopped = await withDatabase(flags, async ({ database: { db } }) => {
        const resumed = await db.transaction().execute(resumeServiceDialing);
        if (resumed) await wakeGateways(db, await allDialingGateways(db));
        return resumed;
      });
      console.log(wasStopped ? 'All accounts dial again.' : 'Dialing was not stopped.');
    });
}

/** Shown to the account's users in an answer of the API: one line. */
function reasonText(text: string): string {
  const reason = text.trim();
  if (reason === '' || reason.length > 500 || /\p{Cc}/u.test(reason)) {
    throw new InvalidArgumentError('1 to 500 characters on one line.');
  }
  return reason;
}
