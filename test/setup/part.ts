import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test files ask for the servers they share; `global.ts` opens the door. */
    partsUrl: string;
  }
}

/** Asks the global set-up for a shared server, which starts it where no test file has asked before. */
export async function part(name: 'postgres' | 'temporal' | 'service'): Promise<string> {
  const response = await fetch(`${inject('partsUrl')}/${name}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`The tests' ${name} does not start: ${text}`);
  return text;
}
