import type { PoolClient } from 'pg';
import pg from 'pg';

/*
 * The PostgreSQL role that the processes of the service connect with. It reads and writes rows, and nothing else: it cannot
 * change the schema, truncate or drop anything. What the operator decides (accounts, grants, suspension, the stop of all
 * dialing) it can read and not change, and the audit log it can add to and not change.
 */

interface ServiceRole {
  readonly name: string;
  /** null: the role logs in by other means, and its password is left alone. */
  readonly password: string | null;
}

/** @throws Error if the URL names no user */
export function serviceRoleOf(url: string): ServiceRole {
  const { username, password } = new URL(url);
  if (username === '')
    throw new Error('OUTDIAL_SERVICE_DATABASE_URL names no user: postgres://<user>:<password>@<host>/<database>.');
  return { name: decodeURIComponent(username), password: password === '' ? null : decodeURIComponent(password) };
}

/** Tables that the service reads only. */
const readOnly = ['schema_migrations', 'grants', 'service_state'];
/** Columns of accounts that an account's own requests change. */
const ownColumns = [
  'dialing_stopped_at',
  'webhook_secret_sealed',
  'previous_webhook_secret_sealed',
  'previous_webhook_secret_valid_until',
];

interface Facts {
  readonly owner: string;
  readonly database: string;
  readonly schema: string;
  readonly makesRoles: boolean;
  readonly isSuperuser: boolean;
  readonly exists: boolean;
  readonly mayAlter: boolean;
  /** Why the role cannot be the service's: it is above the tables. */
  readonly isPowerful: boolean;
}

async function factsOf(client: PoolClient, role: string): Promise<Facts> {
  const { rows } = await client.query<Facts>(
    `select current_user as owner, current_database() as database, current_schema() as schema,
      me.rolsuper or me.rolcreaterole as "makesRoles", me.rolsuper as "isSuperuser", r.oid is not null as exists,
      me.rolsuper or coalesce(pg_has_role(me.oid, r.oid, 'member with admin option'), false) as "mayAlter",
      coalesce(r.rolname = current_user or r.rolsuper or pg_has_role(r.oid, me.oid, 'member'), false) as "isPowerful"
    from pg_roles me left join pg_roles r on r.rolname = $1 where me.rolname = current_user`,
    [role],
  );
  const [facts] = rows;
  if (facts === undefined) throw new Error('The database does not say who is connected.');
  return facts;
}

/**
 * Makes the role if there is none, and gives it exactly what the service needs: whatever else it had in this schema is taken
 * away. To be asked after each migration, under its lock: new tables have to be granted too.
 *
 * @throws Error if the role is the owner, a superuser or a member of the owner, or cannot be made
 */
export async function grantServiceRole(client: PoolClient, { name, password }: ServiceRole): Promise<void> {
  const facts = await factsOf(client, name);
  if (facts.isPowerful) {
    throw new Error(
      `${name} cannot be the role of the service: it is ${facts.owner} itself, a superuser or a member of ${facts.owner}. ` +
        'Name another role in OUTDIAL_SERVICE_DATABASE_URL.',
    );
  }
  if (!facts.exists && !facts.makesRoles) {
    throw new Error(
      `There is no role ${name}, and ${facts.owner} may not make one. Make it: create role ${name} login password '…'.`,
    );
  }
  await client.query('begin');
  try {
    for (const statement of statementsFor(name, password, facts)) await client.query(statement);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

function statementsFor(name: string, password: string | null, facts: Facts): string[] {
  const [role, schema, database] = [name, facts.schema, facts.database].map(pg.escapeIdentifier);
  const columns = ownColumns.join(', ');
  return [
    ...(facts.exists ? [] : [`create role ${role} login`]),
    ...((facts.mayAlter || !facts.exists) && password !== null
      ? [`alter role ${role} password ${pg.escapeLiteral(password)}`]
      : []),
    ...(facts.isSuperuser
      ? [
          `alter role ${role} nosuperuser nocreatedb nocreaterole noreplication nobypassrls`,
          // For the age of the oldest snapshot, which sessions of other roles hold too.
          `grant pg_read_all_stats to ${role}`,
        ]
      : []),
    `revoke temporary on database ${database} from public`,
    `revoke create on schema ${schema} from public`,
    `revoke all on schema ${schema} from ${role}`,
    `revoke all on all tables in schema ${schema} from ${role}`,
    `grant connect on database ${database} to ${role}`,
    `grant usage on schema ${schema} to ${role}`,
    `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
    `grant usage on all sequences in schema ${schema} to ${role}`,
    `revoke insert, update, delete on ${readOnly.join(', ')} from ${role}`,
    `revoke update, delete on audit_log from ${role}`,
    `revoke insert, update, delete on accounts from ${role}`,
    `grant update (${columns}) on accounts to ${role}`,
  ];
}
