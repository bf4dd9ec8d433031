/**
 * Whether calls may be sent to the address of a trunk.
 *
 * - `allowed`: every address that it leads to is one that the rules allow.
 * - `refused`: it leads to a private or reserved address, or to none at all. Which of them is not told apart: a client
 *   chose the name, and must not learn which names our network has.
 * - `unknown`: it could not be looked up now.
 */
export type TrunkJudgement = 'allowed' | 'refused' | 'unknown';
