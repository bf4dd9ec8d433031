/** What a token or a key may do if it says so; without `permissions` it may do everything. */
export const tokenPermissions = ['read', 'playground', 'operate', 'guardrails', 'listen'] as const;
export type TokenPermission = (typeof tokenPermissions)[number];

/** As a token or a key has them; null: everything. Unknown words allow nothing. */
export type Permissions = readonly string[] | null;

/** Words that a word allows besides itself: `operate` is everything but changing the guardrails and listening to calls. */
const within: Readonly<Record<string, readonly string[]>> = { operate: ['read', 'playground'] };

/** Whether these permissions allow all that a word does. */
export const covers = (permissions: Permissions, word: string): boolean =>
  permissions === null || permissions.some((each) => each === word || within[each]?.includes(word) === true);

/** What a token may do whose key has permissions: what both allow. */
export function narrowest(ofKey: Permissions, ofToken: Permissions): Permissions {
  if (ofKey === null) return ofToken;
  if (ofToken === null) return ofKey;
  const both = tokenPermissions.filter((word) => covers(ofKey, word) && covers(ofToken, word));
  return both.filter((word) => !both.some((other) => within[other]?.includes(word)));
}
