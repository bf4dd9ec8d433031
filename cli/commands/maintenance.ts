import type { Command } from 'commander';
import { migrate } from '../../db/migrate.js';
import { type Reseal, resealSecrets, sealPins, secretsByKey } from '../../db/queries/accounts/sealed-secrets.js';
import { type DataFlag, dataOption, withDatabase } from './open.js';

/** @throws Error if another key cannot be dropped yet: a process that seals with it has stored something meanwhile */
function afterRotation({
  key,
  counts,
}: {
  readonly key: string;
  readonly counts: ReadonlyMap<string, number>;
}): string {
  const others = [...counts].filter(([id]) => id !== key).map(([id, count]) => `${count} with ${id}`);
  if (others.length === 0) return `All stored secrets are sealed with ${key}.`;
  throw new Error(
    `Secrets that are not sealed with ${key}, which is the first key here: ${others.join(', ')}. A process whose first key is another one ` +
      'has stored them meanwhile: put this one first everywhere, restart, and run this again before you drop a key.',
  );
}

export function maintenanceCommands(program: Command): void {
  program
    .command('migrate')
    .description('Bring the database schema up to date; safe to run from several machines at once')
    .option(...dataOption)
    .action(async (flags: DataFlag) => {
      const applied = await withDatabase(
        flags,
        ({ env, database }) => migrate(database.pool, env.OUTDIAL_SERVICE_DATABASE_URL),
        { allowOldSchema: true },
      );
      console.log(applied.length === 0 ? 'The schema is up to date.' : `Applied: ${applied.join(', ')}.`);
    });
  program
    .command('secrets')
    .description('Secrets at rest')
    .command('rotate')
    .description('Seal every stored secret with the first of OUTDIAL_ENCRYPTION_KEYS; the others may then be dropped')
    .option(...dataOption)
    .action(async (flags: DataFlag) => {
      const done = await withDatabase(flags, async ({ database, secretBox }) => {
        const box = secretBox();
        const pins = await sealPins(database.db, (pin, place) => box.seal(pin, place));
        if (pins > 0) console.log(`routing_rules.room_pin: ${pins} sealed`);
        const unreadable = new Set<string>();
        const reseal: Reseal = (envelope, place) => box.reseal(envelope, place);
        const columns = await resealSecrets(database.db, reseal, ({ message }) => unreadable.add(message));
        return { columns, unreadable, key: box.sealsWith, counts: await secretsByKey(database.db) };
      });
      for (const { table, column, count } of done.columns) console.log(`${table}.${column}: ${count} sealed again`);
      if (done.unreadable.size === 0) {
        console.log(afterRotation(done));
        return;
      }
      for (const message of done.unreadable) console.error(message);
      throw new Error(
        `Secrets that cannot be opened: ${done.unreadable.size}. All others are sealed with the first key.`,
      );
    });
}
