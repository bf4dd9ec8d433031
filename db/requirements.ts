import pg from 'pg';

const { escapeIdentifier } = pg;

/** A pool, or one of its connections. */
export interface Queryable {
  query(text: string): Promise<{ readonly rows: readonly unknown[] }>;
}

/** The oldest PostgreSQL that the schema runs on. */
const leastVersion = 18;

/** Largest difference between the clocks of the database and of a process: both decide about calling hours and leases. */
const mostSecondsApart = 60;

/** Functions of PostgreSQL that the schema calls. */
const functions = ['uuidv7()', 'hashtextextended(text,bigint)', 'starts_with(text,text)'];

/** Extension for searches in numbers: part of PostgreSQL. Who may create in the database may create it. */
const extension = 'pg_trgm';

interface Facts {
  readonly number: number;
  readonly name: string;
  readonly missing: readonly string[];
  readonly extended: boolean;
  readonly seconds: number;
  /** It follows another server. */
  readonly replica: boolean;
  readonly readOnly: boolean;
}

/**
 * The reasons why this service cannot run on a database; empty if it can. A schema can be made on an older PostgreSQL and
 * fails only when the first call is dialed, so it is asked for before.
 *
 * @param now the process's clock
 * @throws if the database cannot be asked
 */
export async function databaseProblems(database: Queryable, now: () => number = Date.now): Promise<string[]> {
  const asked = now();
  const { rows } = await database.query(`
    select current_setting('server_version_num')::integer as number, current_setting('server_version') as name,
      array(select f from unnest(array[${functions.map((name) => `'${name}'`).join(', ')}]) as f
        where to_regprocedure(f) is null) as missing,
      exists (select 1 from pg_available_extensions where name = '${extension}') as extended,
      extract(epoch from clock_timestamp())::float8 as seconds, pg_is_in_recovery() as replica,
      current_setting('transaction_read_only')::boolean as "readOnly"`);
  const answered = now();
  // Rows of the statement above.
  const [facts] = rows as readonly Facts[];
  if (facts === undefined) return ['The database does not say which version it is.'];
  const { number, name, missing, extended, seconds, replica, readOnly } = facts;
  const problems: string[] = [];
  if (Math.floor(number / 10_000) < leastVersion) {
    problems.push(`PostgreSQL ${name} is too old: this service needs PostgreSQL ${leastVersion} or newer.`);
  } else if (missing.length > 0) {
    problems.push(`The database has no function ${missing.join(' and no ')}: it is no PostgreSQL ${leastVersion}.`);
  }
  if (!extended) {
    problems.push(
      `The server has no extension ${extension}, which is part of PostgreSQL: install its package of additions (postgresql-contrib).`,
    );
  }
  if (replica) {
    problems.push('The database is a replica and takes no changes: OUTDIAL_DATABASE_URL has to name the primary.');
  } else if (readOnly) {
    problems.push(
      'The database takes no changes: default_transaction_read_only is on, for the server, database or role.',
    );
  }
  // Whatever the question took is no difference.
  const ahead = seconds * 1000 - answered;
  const behind = asked - seconds * 1000;
  const apart = Math.max(ahead, behind) / 1000;
  if (apart > mostSecondsApart) {
    problems.push(
      `The clocks of the database and of this machine are ${Math.round(apart)} seconds apart, and at most ` +
        `${mostSecondsApart} are allowed: the database's is ${ahead > behind ? 'ahead' : 'behind'}. Set both by NTP.`,
    );
  }
  return problems;
}

/** @throws Error that says why this service cannot run on the database */
export async function requireUsableDatabase(database: Queryable): Promise<void> {
  const problems = await databaseProblems(database);
  if (problems.length > 0) throw new Error(problems.join(' '));
}

interface Rights {
  readonly role: string;
  readonly database: string;
  /** null: no schema of the search path exists. */
  readonly schema: string | null;
  readonly makesTables: boolean | null;
  readonly hasExtension: boolean;
  readonly makesExtension: boolean;
}

async function rightsOn(database: Queryable): Promise<Rights | undefined> {
  const { rows } = await database.query(`
    select current_user as role, current_database() as database, current_schema() as schema,
      has_schema_privilege(current_schema(), 'create') as "makesTables",
      exists (select 1 from pg_extension where extname = '${extension}') as "hasExtension",
      (select rolsuper from pg_roles where rolname = current_user) or (
        has_database_privilege(current_database(), 'create')
        and exists (select 1 from pg_available_extension_versions where name = '${extension}' and trusted)
      ) as "makesExtension"`);
  // Rows of the statement above.
  return (rows as readonly Rights[])[0];
}

const extensionRemedy = (role: string, database: string): string =>
  `Let a superuser run \`create extension ${extension}\` in it, or its owner \`grant create on database ${escapeIdentifier(database)} to ${escapeIdentifier(role)}\`.`;

/** What stands between this role and an extension that the schema needs. Null: it is there, or the role may create it. */
interface MissingExtension {
  /** What is missing, and who may not make it. */
  readonly message: string;
  /** What to do about it, with the SQL. */
  readonly remedy: string;
}

/** @throws if the database cannot be asked */
export async function missingExtension(database: Queryable): Promise<MissingExtension | null> {
  const rights = await rightsOn(database);
  return rights === undefined ? null : extensionTrouble(rights);
}

const extensionTrouble = ({ role, database, hasExtension, makesExtension }: Rights): MissingExtension | null =>
  hasExtension || makesExtension
    ? null
    : {
        message: `The database ${database} lacks the extension ${extension}, and the role ${role} may not create it.`,
        remedy: extensionRemedy(role, database),
      };

/** @throws Error that says which rights this role lacks for making the schema, and how it gets them */
export async function requireMigrationRights(database: Queryable): Promise<void> {
  const rights = await rightsOn(database);
  if (rights === undefined) return;
  const { role, schema, makesTables } = rights;
  const problems: string[] = [];
  if (schema === null) problems.push(`No schema of the search path of ${role} exists: create one, or set search_path.`);
  if (schema !== null && makesTables !== true) {
    problems.push(
      `The role ${role} may not make tables in the schema ${schema}. \`outdial migrate\` needs the owner of the tables; on a ` +
        `new database, let its owner run \`grant create on schema ${escapeIdentifier(schema)} to ${escapeIdentifier(role)}\`.`,
    );
  }
  const lacks = extensionTrouble(rights);
  if (lacks !== null) problems.push(`${lacks.message} ${lacks.remedy}`);
  if (problems.length > 0) throw new Error(problems.join(' '));
}
