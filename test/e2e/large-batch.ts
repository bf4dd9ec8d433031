import { expect } from 'vitest';
import { batchIs, setUp, until, type RunningService } from './running-service.js';

/** As many numbers as a file of 5 MB can hold. */
export const largest = 370_000;

/** Uploads a file of the largest size, and waits until its numbers are being called. @returns the id of the batch */
export async function startLargestBatch(service: RunningService): Promise<string> {
  const { phoneNumber } = await setUp(service);
  const numbers = Array.from({ length: largest }, (_, i) => `+1555${String(1_000_000 + i)}`);
  const content = ['phone_number', ...numbers].join('\n');
  expect(Buffer.byteLength(content)).toBeLessThanOrEqual(5_242_880);
  const { status, body } = await service.createBatch({ name: 'large.csv', content }, { name: 'Large', phoneNumber });
  expect(status).toBe(201);
  const batchId = String(body.batchId);

  const running = await batchIs(service, batchId, 'running');
  expect(running.recordsUploaded).toBe(largest);
  await until(() => service.ledger().filter((line) => line.event === 'invite').length >= 300);
  return batchId;
}
