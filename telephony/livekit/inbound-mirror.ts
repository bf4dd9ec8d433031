import type { SIPInboundTrunkInfo } from '@livekit/protocol';
import { ServerError, SipClient } from 'livekit-server-sdk';
import type { InboundLine } from '../../domain/call/inbound-line.js';
import { cannotAsk, isNotFound } from './failure.js';
import { inboundDifferences, type LineChange } from './inbound-differences.js';
import { dispatchRuleFor, trunkFor } from './inbound-objects.js';
import { type LiveKitRegion, regionFor } from './regions.js';

/** The changes that a round has made. */
export interface MirrorFindings {
  readonly changed: number;
  readonly deleted: number;
  /** Numbers that LiveKit refused, each with its message. */
  readonly refused: readonly { readonly number: string; readonly words: string }[];
}

const requestSeconds = 10;

/**
 * Makes the LiveKits of all regions know exactly these inbound numbers. Each round compares everything again, so one that was
 * lost halfway is finished by the next, and manual changes are undone.
 *
 * @param asTheyAre numbers that are left as each LiveKit has them
 * @param requireOwn asked before anything of a LiveKit is changed. Rejects if another service has it
 * @throws ProviderUnreachable if a LiveKit could not be asked; everything else has been seen to before
 */
export async function mirrorInboundLines(
  lines: readonly InboundLine[],
  regions: readonly LiveKitRegion[],
  asTheyAre: readonly string[] = [],
  requireOwn: (region: LiveKitRegion) => Promise<void> = () => Promise.resolve(),
): Promise<MirrorFindings> {
  const placed = lines.map((line) => ({ line, region: placeOf(line, regions) }));
  const lost = placed.filter(({ region }) => region === null).map(({ line }) => line);
  const rounds = await Promise.allSettled(
    regions.map(async (region) => {
      await requireOwn(region);
      return mirrorRegion(
        placed.filter((each) => each.region === region.name).map(({ line }) => line),
        region,
        new Set(asTheyAre),
      );
    }),
  );
  const failed = rounds.find((round) => round.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const done = rounds.flatMap((round) => (round.status === 'fulfilled' ? [round.value] : []));
  return {
    changed: done.reduce((sum, { changed }) => sum + changed, 0),
    deleted: done.reduce((sum, { deleted }) => sum + deleted, 0),
    refused: [
      ...done.flatMap(({ refused }) => refused),
      ...lost.map(({ number, region }) => ({ number, words: `There is no LiveKit of the region ${region}.` })),
    ],
  };
}

function placeOf({ region }: InboundLine, regions: readonly LiveKitRegion[]): string | null {
  try {
    return regionFor(region, regions).name;
  } catch {
    return null; // a region that the settings name no more
  }
}

async function mirrorRegion(
  lines: readonly InboundLine[],
  { name, url, apiKey, apiSecret }: LiveKitRegion,
  asTheyAre: ReadonlySet<string>,
): Promise<MirrorFindings> {
  const sip = new SipClient(url, apiKey, apiSecret, { requestTimeout: requestSeconds, failover: false });
  const [trunks, rules] = await Promise.all([sip.listSipInboundTrunk(), sip.listSipDispatchRule()]).catch(
    (error: unknown) => {
      throw cannotAsk(error, name);
    },
  );
  const { deleteRules, deleteTrunks, changes } = inboundDifferences(lines, { trunks, rules }, asTheyAre);
  // One thing at which LiveKit fails must not keep the others waiting; one that does not answer is not asked on and on.
  const failures: Error[] = [];
  const failed = (error: unknown): void => {
    if (!(error instanceof ServerError)) throw cannotAsk(error, name);
    failures.push(cannotAsk(error, name));
  };
  const gone = async (work: Promise<unknown>): Promise<void> => {
    await work.catch((error: unknown) => (isNotFound(error) ? undefined : failed(error)));
  };
  for (const id of deleteRules) await gone(sip.deleteSipDispatchRule(id));
  for (const id of deleteTrunks) await gone(sip.deleteSipTrunk(id));

  const refused: { number: string; words: string }[] = [];
  for (const change of changes) {
    try {
      await applyChange(sip, change);
    } catch (error) {
      if (isRefused(error)) refused.push({ number: change.line.number, words: cannotAsk(error, name).message });
      else failed(error);
    }
  }
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  return { changed: changes.length - refused.length, deleted: deleteRules.length + deleteTrunks.length, refused };
}

/** LiveKit has understood and does not want: asking again would not help. */
const isRefused = (error: unknown): boolean => error instanceof ServerError && [400, 409, 412].includes(error.status);

async function makeTrunk(sip: SipClient, wanted: SIPInboundTrunkInfo): Promise<string> {
  const { name, numbers, media, allowedAddresses, allowedNumbers, authUsername, authPassword } = wanted;
  const { headersToAttributes, includeHeaders, krispEnabled } = wanted;
  const made = await sip.createSipInboundTrunk(name, numbers, {
    allowedAddresses,
    allowedNumbers,
    authUsername,
    authPassword,
    headersToAttributes,
    includeHeaders,
    krispEnabled,
    ...(media === undefined ? {} : { media }),
  });
  return made.sipTrunkId;
}

async function applyChange(sip: SipClient, { line, trunk, trunkId, rule, ruleId }: LineChange): Promise<void> {
  const wanted = trunkFor(line);
  const id = trunkId ?? (await makeTrunk(sip, wanted));
  // Also right after it was made: creating does not take how long a call may last.
  if (trunk) await sip.updateSipInboundTrunk(id, wanted);
  if (!rule) return;
  const wantedRule = dispatchRuleFor(line, id);
  if (ruleId !== null) {
    await sip.updateSipDispatchRule(ruleId, wantedRule);
    return;
  }
  const { room } = line;
  await sip.createSipDispatchRule(
    room.type === 'static'
      ? { type: 'direct', roomName: room.name, pin: room.pin }
      : { type: 'individual', roomPrefix: room.prefix, pin: room.pin },
    {
      name: wantedRule.name,
      trunkIds: wantedRule.trunkIds,
      hidePhoneNumber: wantedRule.hidePhoneNumber,
      attributes: wantedRule.attributes,
      ...(wantedRule.roomConfig === undefined ? {} : { roomConfig: wantedRule.roomConfig }),
    },
  );
}
