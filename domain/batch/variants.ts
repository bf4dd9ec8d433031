import { z } from 'zod';
import type { Problem } from '../errors.js';
import { expected } from '../input/field-problems.js';

/*
 * Variants of a batch: agents, or versions of agents, of which each recipient gets one, so that they can be compared.
 */

const mostWeight = 1_000;
const leastVariants = 2;
const mostVariants = 10;
const weightWords = `must be a whole number from 0 to ${mostWeight}`;

const VariantInput = z.strictObject(
  {
    agentId: z.string(expected('must be the id of an agent')).describe('Active'),
    versionId: z
      .string(expected('must be the id of a version'))
      .optional()
      .describe('One that has been live; omitted: the live one'),
    weight: z.int(weightWords).min(0, weightWords).max(mostWeight, weightWords).describe('Its share'),
  },
  'must be an object such as {"agentId":"agt_…","weight":50}',
);

/** An agent, or one version of it, and its share. */
export type Variant = z.output<typeof VariantInput>;

/** What names a variant in records and figures: its version if it has one, else its agent. */
export const variantKey = ({ agentId, versionId }: Pick<Variant, 'agentId' | 'versionId'>): string =>
  versionId ?? agentId;

const totalWeight = (variants: readonly Variant[]): number => variants.reduce((sum, { weight }) => sum + weight, 0);

export const VariantsInput = z
  .array(VariantInput, expected('must be an array of {agentId, versionId, weight}'))
  .min(leastVariants, `must name at least ${leastVariants} variants`)
  .max(mostVariants, `must name at most ${mostVariants} variants`)
  .refine((variants) => new Set(variants.map(variantKey)).size === variants.length, {
    error: 'must not name the same agent, or the same version, twice',
  })
  .refine((variants) => totalWeight(variants) > 0, { error: 'must have a weight above 0' })
  .meta({ id: 'BatchVariants' });

/** A number from 0 to below 1 that a text always gives; texts that differ give numbers spread evenly. */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  // Mixes the bits, because texts that end alike would lie close together.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** A recipient as the draw knows it: by the client's own id, else by number and place. */
export interface DrawnRecipient {
  readonly id?: string;
  readonly phoneNumber: string;
  readonly position: number;
}

/** The variant that a recipient gets: the same whenever it is asked for, as long as weights are the same. */
export function drawVariant(
  variants: readonly Variant[],
  batchId: string,
  { id, phoneNumber, position }: DrawnRecipient,
): Variant {
  let rest = fractionOf(`${batchId}/${id ?? `${position}/${phoneNumber}`}`) * totalWeight(variants);
  const drawn = variants.find(({ weight }) => {
    rest -= weight;
    return rest < 0;
  });
  const last = drawn ?? variants.findLast(({ weight }) => weight > 0);
  if (last === undefined) throw new Error('Variants have no weight.');
  return last;
}

/** What is wrong with new weights: the variants themselves stay, because recipients have been drawn for them. */
export function weightProblems(
  current: readonly Variant[] | undefined,
  wanted: readonly Variant[] | null | undefined,
): Problem[] {
  if (wanted === undefined || wanted === null) return [];
  const keysOf = (variants: readonly Variant[]) =>
    variants
      .map((each) => `${each.agentId} ${each.versionId ?? ''}`)
      .toSorted()
      .join();
  if (current !== undefined && keysOf(current) === keysOf(wanted)) return [];
  const message =
    current === undefined
      ? 'can only be set when a batch call is created: this one has none'
      : 'must name the variants that the batch call was created with: only their weights can be changed. A weight of 0 draws nobody';
  return [{ path: 'variants', code: 'INVALID_VALUE', message }];
}

/** What is known of a variant that a batch asks for. */
export interface KnownVariant {
  readonly agentIsThere: boolean;
  readonly agentIsActive: boolean;
  /** It names no version, or one of its agent. */
  readonly versionIsThere: boolean;
  /** It names no version, or one that has been live. */
  readonly versionWasLive: boolean;
}

function problemOf(known: KnownVariant | undefined, path: string): Problem[] {
  const wrong = (field: string, message: string): Problem[] => [
    { path: `${path}.${field}`, code: 'INVALID_VALUE', message },
  ];
  if (known?.agentIsThere !== true) return wrong('agentId', 'is no agent of the account');
  if (!known.agentIsActive) return wrong('agentId', 'is an agent that is not active: deploy it first');
  if (!known.versionIsThere) return wrong('versionId', 'is no version of this agent');
  if (!known.versionWasLive) return wrong('versionId', 'has never been live: deploy it once, then it can be named');
  return [];
}

/** What is wrong with variants, given what is known of each, in the same order. */
export const variantProblems = (variants: readonly Variant[], known: readonly KnownVariant[]): Problem[] =>
  variants.flatMap((_, place) => problemOf(known[place], `variants[${place}]`));
