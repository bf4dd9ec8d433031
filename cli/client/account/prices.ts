import { z } from 'zod';
import type { ClientFlags } from '../../commands/service-options.js';
import { isObject } from '../../../domain/input/json-value.js';
import { clientOf, type Row } from '../client.js';
import { wrongUsage } from '../exit-codes.js';
import { readJson } from '../json-file.js';
import { printDone, printLines, printRows } from '../output.js';

export interface PriceFlags extends ClientFlags {
  readonly currency?: string;
  readonly file?: string;
}

const Price = z.looseObject({ gatewayId: z.string().optional(), country: z.string().optional() });
type Price = z.infer<typeof Price>;
const ModelPrice = z.looseObject({
  provider: z.string().optional(),
  model: z.string().optional(),
  kind: z.string().optional(),
});
const Prices = z.looseObject({
  currency: z.string().optional(),
  calls: z.array(Price),
  models: z.array(ModelPrice).optional(),
});

const anyCalls = 'any';
const grammar = `which calls, and what a minute costs: ${anyCalls}=0.02, IN=0.0085/30 in steps of 30 s, gwo_…/IN=0.007/6/30 with at least 30 s`;

/** `gwo_…/IN`, `IN`, `gwo_…` or `any`, as its fields. @throws CommandFailed */
function callsOf(text: string): Price {
  const [, gatewayId, ofGateway, alone] =
    /^(?:(gw[a-z]*_[^/\s]+)(?:\/([A-Z]{2}|001))?|([A-Z]{2}|001))$/.exec(text) ?? [];
  const country = ofGateway ?? alone;
  if (text === anyCalls) return {};
  if (gatewayId === undefined && country === undefined) {
    throw wrongUsage(`${text}: which calls is a country such as IN, a gateway, a gateway/country, or ${anyCalls}.`);
  }
  return { ...(gatewayId === undefined ? {} : { gatewayId }), ...(country === undefined ? {} : { country }) };
}

/**
 * `IN=0.0085/30/60`, as a price of PUT /v1/account/prices.
 *
 * @throws CommandFailed
 */
export function priceOf(text: string): Price {
  const [, which = '', amount, increment, minimum] =
    /^([^=]+)=(\d+(?:\.\d+)?)(?:\/(\d+))?(?:\/(\d+))?$/.exec(text.trim()) ?? [];
  if (amount === undefined) throw wrongUsage(`${text}: ${grammar}.`);
  return {
    ...callsOf(which),
    perMinute: Number(amount),
    ...(increment === undefined ? {} : { incrementSeconds: Number(increment) }),
    ...(minimum === undefined ? {} : { minimumSeconds: Number(minimum) }),
  };
}

const sameCalls = (one: Price, other: Price): boolean =>
  one.gatewayId === other.gatewayId && one.country === other.country;

/**
 * The prices with these changes; those that are not named stay.
 *
 * @throws CommandFailed if two of them are for the same calls
 */
export function withPrices(prices: readonly Price[], changes: readonly Price[]): Price[] {
  const twice = changes.find((price, place) => changes.slice(0, place).some((other) => sameCalls(other, price)));
  if (twice !== undefined) throw wrongUsage(`Two prices are for ${namesOf(twice)}: give one.`);
  return [...prices.filter((price) => !changes.some((change) => sameCalls(change, price))), ...changes];
}

const namesOf = ({ gatewayId, country }: Price): string =>
  [gatewayId, country].filter((part) => part !== undefined).join('/') || anyCalls;

/** `outdial prices show` */
export async function showPrices(flags: ClientFlags): Promise<void> {
  const prices = await (await clientOf(flags)).ask('accountPrices.get');
  const { currency, calls, models = [] } = Prices.parse(prices);
  if (flags.output === 'json' && flags.quiet !== true) {
    printDone('', prices, '', flags);
    return;
  }
  if (currency === undefined) {
    console.error(
      'The account has no prices, so nothing has a cost. Set one: outdial prices set --currency USD any=0.02',
    );
    return;
  }
  const columns = {
    Calls: 'named',
    [`${currency} a minute`]: 'perMinute',
    'In steps of': ({ incrementSeconds }: Row) => `${String(incrementSeconds)} s`,
    'At least': ({ minimumSeconds }: Row) => `${String(minimumSeconds)} s`,
  };
  printRows(
    calls.map((price) => ({ ...price, named: namesOf(price) })),
    { id: 'named', columns },
    flags,
  );
  if (models.length > 0 && flags.output === 'table' && flags.quiet !== true) showModelPrices(models, currency, flags);
}

function showModelPrices(models: readonly z.infer<typeof ModelPrice>[], currency: string, flags: ClientFlags): void {
  const columns = {
    Models: 'named',
    Kind: 'kind',
    [`${currency} per million tokens in`]: 'perMillionInputTokens',
    Cached: 'perMillionCachedInputTokens',
    Out: 'perMillionOutputTokens',
    'Per 1,000 characters': 'perThousandCharacters',
    'A minute': 'perMinute',
  };
  const named = models.map((price) => {
    const { provider = 'any', model } = price;
    return { ...price, named: model === undefined ? provider : `${provider}/${model}` };
  });
  printLines(['']);
  printRows(named, { id: 'named', columns }, flags);
}

/** What `show -o json` has printed can be sent back, though prices were set meanwhile. */
const wholeOf = (given: unknown): unknown =>
  isObject(given) ? Object.fromEntries(Object.entries(given).filter(([field]) => field !== 'updatedAt')) : given;

/** `outdial prices set`: prices of calls that are not named stay as they are; a file has all of them. */
export async function setPrices(given: readonly string[], flags: PriceFlags): Promise<void> {
  const { currency, file } = flags;
  if (file !== undefined && (given.length > 0 || currency !== undefined)) {
    throw wrongUsage('--file has the currency and all prices: give nothing else.');
  }
  if (file === undefined && given.length === 0 && currency === undefined) throw wrongUsage(`Say ${grammar}.`);
  const changes = given.map((text) => priceOf(text));
  const whole = file === undefined ? undefined : wholeOf(await readJson(file));
  const client = await clientOf(flags);
  const before = Prices.parse(await client.ask('accountPrices.get'));
  const code = currency ?? before.currency;
  if (whole === undefined && code === undefined)
    throw wrongUsage('Say the currency of the first prices: --currency USD.');
  const json = whole ?? { currency: code, calls: withPrices(before.calls, changes) };
  done(await client.ask('accountPrices.replace', { json }), flags);
}

/** `outdial prices unset` */
export async function unsetPrices(names: readonly string[], flags: ClientFlags): Promise<void> {
  const removed = names.map((name) => callsOf(name));
  const client = await clientOf(flags);
  const { currency, calls } = Prices.parse(await client.ask('accountPrices.get'));
  const unknown = removed.find((price) => !calls.some((each) => sameCalls(each, price)));
  if (unknown !== undefined)
    throw wrongUsage(`There is no price for ${namesOf(unknown)}. See them with: outdial prices show`);
  const left = calls.filter((each) => !removed.some((price) => sameCalls(price, each)));
  done(await client.ask('accountPrices.replace', { json: { currency, calls: left } }), flags);
}

const done = (answer: Row, flags: ClientFlags): void =>
  printDone('The prices are set. See them with: outdial prices show', answer, '', flags);
