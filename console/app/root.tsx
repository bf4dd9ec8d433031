import { RouterProvider } from '@tanstack/react-router';
import { useSession } from '../session/session.js';
import { SignIn } from '../session/sign-in.js';
import { SignInAgain } from '../session/sign-in-again.js';
import { router } from './router.js';

/** The page that the address names, once somebody has signed in. */
export function Root() {
  const session = useSession();
  if (session.kind === 'closed') return <SignIn words={session.words} />;
  if (session.kind === 'opening') return <main id="main" aria-busy="true" aria-label="Signing in" />;
  return (
    <>
      <RouterProvider router={router} />
      {session.refused !== null && <SignInAgain words={session.refused} />}
    </>
  );
}
