const bullet = '•';
const shown = 4;

/**
 * A provider's key as responses show it (docs/conformance.md, ModelSlot and ModelEntry): four bullets and the last four
 * characters, or bullets alone if the key is no longer than what would be shown. Their number tells nothing of the
 * key's length.
 */
export function maskKey(key: string): string {
  const characters = Array.from(key);
  const tail = characters.length > shown ? characters.slice(-shown).join('') : '';
  return bullet.repeat(4) + tail;
}

/** True for anything that a mask could have been made into: no provider's key holds a bullet. */
export const looksMasked = (key: string): boolean => key.includes(bullet);
