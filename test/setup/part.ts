import { inject } from 'vitest';

/** Asks the global set-up for a shared server, which starts it where no test file has asked before. */
export async function part(name: 'postgres' | 'temporal'): Promise<string> {
  const response = await fetch(`${inject('partsUrl')}/${name}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`The tests' ${name} does not start: ${text}`);
  return text;
}
