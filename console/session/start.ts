import { currentToken } from '../api/token.js';
import { redeemCode, takeCode } from './one-time.js';
import { closeSession, openSession } from './session.js';

/** Signs in with what the address or this tab has, when the page starts. */
export async function startSession(): Promise<void> {
  const code = takeCode();
  const kept = currentToken();
  if (code === null) {
    if (kept !== null) await openSession(kept);
    return;
  }
  try {
    await openSession(await redeemCode(code));
  } catch (error) {
    // A page that is signed in already needs no code.
    if (kept !== null) await openSession(kept);
    else closeSession(error instanceof Error ? error.message : 'The sign-in address was not accepted.');
  }
}
