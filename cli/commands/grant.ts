import { type Command, InvalidArgumentError } from 'commander';
import type { Db } from '../../db/client.js';
import { accountNamed } from '../../db/queries/accounts/all.js';
import {
  addGrants,
  detachElsewhere,
  grantedElsewhere,
  type GrantRow,
  listGrants,
  lockGrants,
  type NumberHolder,
  receivedElsewhere,
  revokeGrants,
  usedWithoutGrant,
} from '../../db/queries/accounts/grants-change.js';
import { dialingGateways } from '../../db/queries/dialer/stop-dialing.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import type { Granted } from '../../domain/account/grants.js';
import { isE164 } from '../../domain/phone/phone-number.js';
import { parseSipAddress } from '../../domain/phone/sip-address.js';
import { answer, type DataFlag, dataOption, withDatabase } from './open.js';

interface Wanted extends DataFlag {
  readonly number?: string[];
  readonly host?: string[];
}

const collected =
  <Value>(parse: (text: string) => Value) =>
  (text: string, before: Value[] = []): Value[] => [...before, parse(text)];

function numberOf(text: string): string {
  if (!isE164(text)) throw new InvalidArgumentError('A number in E.164 with its +, such as +14155550100.');
  return text;
}

/** A host as gateways name it; the port does not matter. */
function hostOf(text: string): string {
  const address = parseSipAddress(text);
  if (address === null) throw new InvalidArgumentError('A host without a scheme, such as sip.carrier.example.');
  return address.host.toLowerCase().replace(/\.$/, '');
}

const withWanted = (command: Command): Command =>
  command
    .argument('<account>', 'its id, acc_…, or its name')
    .option('--number <number>', 'a number in E.164; may be given several times', collected(numberOf))
    .option('--host <host>', 'host of a SIP trunk; may be given several times', collected(hostOf))
    .option(...dataOption);

function grantedOf({ number = [], host = [] }: Wanted): Granted {
  if (number.length + host.length === 0) throw new Error('Give at least one --number or --host.');
  return { numbers: [...new Set(number)], hosts: [...new Set(host)] };
}

const named = ({ numbers, hosts }: Granted): string => [...numbers, ...hosts].join(', ');
const holders = (found: readonly NumberHolder[]): string =>
  found.map(({ number, accountId }) => `${number} (${accountId})`).join(', ');

/** Grants have an effect only if the roles are set to require them. */
const onlyIfRequired = (required: boolean): string =>
  required
    ? ''
    : ' Grants count only for roles that run with OUTDIAL_REQUIRE_GRANTS=true, which is not set for this command.';

/** @throws Error that names the account that has a number, and what to do about it */
async function refuseOthers(tx: Db, accountId: string, numbers: readonly string[], detach: boolean): Promise<void> {
  const granted = await grantedElsewhere(tx, accountId, numbers);
  if (granted.length > 0) {
    throw new Error(`Granted to another account: ${holders(granted)}. Take it back first: outdial grant revoke.`);
  }
  if (detach) return;
  const received = await receivedElsewhere(tx, accountId, numbers);
  if (received.length > 0) {
    throw new Error(
      `Calls to these numbers go to another account: ${holders(received)}. --detach-others takes them off its inbound gateways.`,
    );
  }
}

export function grantCommands(program: Command): void {
  const grant = program
    .command('grant')
    .description('Numbers and SIP hosts that accounts may use, if OUTDIAL_REQUIRE_GRANTS is set');
  addCommand(grant);
  revokeCommand(grant);
  listCommand(grant);
}

function addCommand(grant: Command): void {
  withWanted(grant.command('add'))
    .option('--detach-others', 'take the numbers off the inbound gateways of other accounts')
    .description('Grant numbers and SIP hosts to an account. A number belongs to one account, a host may serve several')
    .action(async (text: string, flags: Wanted & { detachOthers?: true }) => {
      const granted = grantedOf(flags);
      const { account, env } = await withDatabase(flags, async ({ env, database: { db } }) => {
        const account = await accountNamed(db, text);
        await db.transaction().execute(async (tx) => {
          await lockGrants(tx);
          await refuseOthers(tx, account.id, granted.numbers, flags.detachOthers === true);
          if (flags.detachOthers === true) await detachElsewhere(tx, account.id, granted.numbers);
          await addGrants(tx, account.id, granted);
        });
        await wakeGateways(db, await dialingGateways(db, account.id));
        return { account, env };
      });
      console.log(
        `${account.id} (${account.name}) may use ${named(granted)}.${onlyIfRequired(env.OUTDIAL_REQUIRE_GRANTS)}`,
      );
    });
}

function revokeCommand(grant: Command): void {
  withWanted(grant.command('revoke'))
    .option('--hang-up', 'hang up live calls that use them, too')
    .description('Take grants back: no new call uses them, and calls that need them wait')
    .action(async (text: string, flags: Wanted & { hangUp?: true }) => {
      const granted = grantedOf(flags);
      const { account, count, env } = await withDatabase(flags, async ({ env, database: { db } }) => {
        const account = await accountNamed(db, text);
        const hangUp = flags.hangUp === true;
        const count = await db.transaction().execute((tx) => revokeGrants(tx, account.id, granted, hangUp));
        return { account, count, env };
      });
      const calls = flags.hangUp === true ? 'Live calls are being hung up.' : 'Live calls go on; --hang-up ends them.';
      const of = granted.numbers.length + granted.hosts.length;
      console.log(
        `Took back ${count} of ${of} from ${account.id} (${account.name}): ${named(granted)}. No new call uses them. ` +
          `${calls}${onlyIfRequired(env.OUTDIAL_REQUIRE_GRANTS)}`,
      );
    });
}

const flagsOf = (rows: readonly GrantRow[]): string => rows.map(({ kind, value }) => `--${kind} ${value}`).join(' ');

/** One command for each account that would grant what it uses. */
function commandsFor(rows: readonly GrantRow[]): string[] {
  const accounts = [...new Set(rows.map(({ accountId }) => accountId))];
  return accounts.map(
    (account) => `outdial grant add ${account} ${flagsOf(rows.filter(({ accountId }) => accountId === account))}`,
  );
}

function listCommand(grant: Command): void {
  grant
    .command('list')
    .option('--account <account>', 'only those of this account: its id or its name')
    .option('--missing', 'what accounts use without a grant instead, as the commands that would grant it')
    .option(...dataOption)
    .option('--json', 'print a JSON array')
    .description('List what is granted')
    .action(async (flags: DataFlag & { account?: string; missing?: true; json?: true }) => {
      const rows = await withDatabase(flags, async ({ database: { db } }) => {
        const account = flags.account === undefined ? undefined : await accountNamed(db, flags.account);
        return (flags.missing === true ? usedWithoutGrant : listGrants)(db, account?.id);
      });
      const lines = rows.map(({ accountId, accountName, kind, value }) =>
        [accountId, kind.padEnd(6), value, accountName].join('  '),
      );
      answer(flags.json, rows, flags.missing === true ? commandsFor(rows) : lines);
    });
}
