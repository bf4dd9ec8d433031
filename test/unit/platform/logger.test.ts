import { expect, test } from 'vitest';
import { createLogger } from '../../../platform/logger.js';

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  write(createLogger('worker', 'info', { write: (line: string) => void (text += line) }));
  return text;
}

test('a line says who wrote it, when, and how severe it is', () => {
  const line: unknown = JSON.parse(logged((logger) => logger.info({ batchId: 'batch_1' }, 'parsed')));
  expect(line).toMatchObject({ level: 'info', role: 'worker', batchId: 'batch_1', msg: 'parsed' });
  expect(line).toHaveProperty('time', expect.stringMatching(/^\d{4}-.*Z$/));
});

test('secrets do not reach a line, at whichever level of it', () => {
  const secret = 'do-not-print-me';
  const text = logged((logger) => {
    logger.info({ password: secret, token: secret, apiKey: secret });
    logger.info({ gateway: { auth: { username: 'me', password: secret } } });
    logger.info({ req: { headers: { authorization: secret } }, order: { gateway: { auth: { password: secret } } } });
    logger.child({ secret }).info('child');
  });
  expect(text).not.toContain(secret);
  expect(text).toContain('"username":"me"');
});

test('what is less severe than asked for is not written', () => {
  expect(logged((logger) => logger.debug('chatter'))).toBe('');
});
