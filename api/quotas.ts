import type { Db } from '../db/client.js';
import { lockUsage } from '../db/queries/accounts/quotas.js';
import { conflict, tooLarge } from '../domain/errors.js';
import type { Env } from '../platform/env.js';

type Quotas = Pick<Env, 'OUTDIAL_MAX_STORED_MB' | 'OUTDIAL_MAX_OPEN_BATCHES' | 'OUTDIAL_MAX_KNOWLEDGE_BASES'>;

function requireBytes(stored: number, more: number, { OUTDIAL_MAX_STORED_MB: mostMB }: Quotas): void {
  if (stored + more <= mostMB * 1024 * 1024) return;
  throw tooLarge(
    `The account keeps ${Math.floor(stored / 1024 / 1024)} MB of files and may keep ${mostMB} MB. ` +
      'Delete batch calls or knowledge bases that are not needed any more.',
  );
}

/** @throws Failure if the account may not have one more open batch call, or not keep its file */
export async function requireRoomForBatch(tx: Db, accountId: string, bytes: number, quotas: Quotas): Promise<void> {
  const { storedBytes, openBatches } = await lockUsage(tx, accountId);
  if (openBatches >= quotas.OUTDIAL_MAX_OPEN_BATCHES) {
    throw conflict(
      `The account has ${openBatches} batch calls that are not finished, as many as it may have. ` +
        'Wait until one is over, or cancel one.',
    );
  }
  requireBytes(storedBytes, bytes, quotas);
}

/** @throws Failure if the account may not have one more knowledge base, or not keep its document */
export async function requireRoomForDocument(tx: Db, accountId: string, bytes: number, quotas: Quotas): Promise<void> {
  const { storedBytes, knowledgeBases } = await lockUsage(tx, accountId);
  if (knowledgeBases >= quotas.OUTDIAL_MAX_KNOWLEDGE_BASES) {
    throw conflict(
      `The account has ${knowledgeBases} knowledge bases, as many as it may have. Delete one that is not needed any more.`,
    );
  }
  requireBytes(storedBytes, bytes, quotas);
}
