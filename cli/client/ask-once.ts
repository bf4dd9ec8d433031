import { randomUUID } from 'node:crypto';
import type { Asked, Client, Row } from './client.js';
import { CommandFailed } from './exit-codes.js';
import type { OperationId } from './operations.js';

/**
 * Asks for something that must not be made twice, such as a call. If it may have been made although no answer came, the failure
 * says how the command is repeated without making another.
 *
 * @param given the Idempotency-Key of the command line; undefined: one of its own
 */
export async function askOnce(
  client: Client,
  operation: OperationId,
  asked: Omit<Asked, 'idempotencyKey'>,
  given: string | undefined,
): Promise<Row> {
  const idempotencyKey = given ?? randomUUID();
  try {
    return await client.ask(operation, { ...asked, idempotencyKey });
  } catch (error) {
    if (!(error instanceof CommandFailed) || !error.mayBeDone) throw error;
    const how =
      given === undefined ? `Repeat the command with --idempotency-key ${idempotencyKey}` : 'Repeat the command';
    throw new CommandFailed(
      error.exitCode,
      `${error.message}\nIt may have been done nevertheless. ${how}: nothing is made a second time.`,
      { cause: error, mayBeDone: true },
    );
  }
}
