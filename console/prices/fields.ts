import type { Schemas } from '../api/client.js';

/** A price as fields have it: everything is a text until it is sent. */
export interface PriceValues {
  /** Empty: any outbound gateway. */
  readonly gatewayId: string;
  /** Empty: any country. */
  readonly country: string;
  readonly perMinute: string;
  readonly incrementSeconds: string;
  readonly minimumSeconds: string;
}

/** Units in which models are priced, with their labels and which kinds of models are charged in them. */
export const modelUnits = [
  { name: 'perMillionInputTokens', label: 'Million tokens in', note: 'Read by the model' },
  { name: 'perMillionCachedInputTokens', label: 'Million of these cached', note: 'Empty: as other tokens in' },
  { name: 'perMillionOutputTokens', label: 'Million tokens out', note: 'Written by the model' },
  { name: 'perThousandCharacters', label: 'Thousand characters', note: 'Made into speech' },
  { name: 'perMinute', label: 'Minute of sound', note: 'Heard or made' },
] as const satisfies readonly { readonly name: keyof Schemas['ModelPrice']; label: string; note: string }[];
export type ModelUnit = (typeof modelUnits)[number]['name'];

/** Kinds of models, in words. */
export const modelKinds = [
  { value: 'llm', label: 'Language (llm)' },
  { value: 'stt', label: 'Hearing (stt)' },
  { value: 'tts', label: 'Speaking (tts)' },
  { value: 'realtime', label: 'Speech to speech (realtime)' },
] as const satisfies readonly { readonly value: NonNullable<Schemas['ModelPrice']['kind']>; label: string }[];

/** What a model costs as fields have it. */
export interface ModelPriceValues extends Readonly<Record<ModelUnit, string>> {
  /** Empty: any. */
  readonly provider: string;
  /** Slug after the provider. Empty: any. */
  readonly model: string;
  /** Empty: any. */
  readonly kind: string;
}

/** The prices of the account as fields have them. */
export interface PricesValues {
  readonly currency: string;
  readonly calls: readonly PriceValues[];
  /** null: more than fields can show; they stay as they are. */
  readonly models: readonly ModelPriceValues[] | null;
}

export const noPrice: PriceValues = {
  ...{ gatewayId: '', country: '', perMinute: '' },
  ...{ incrementSeconds: '1', minimumSeconds: '1' },
};

export const noModelPrice: ModelPriceValues = {
  ...{ provider: '', model: '', kind: '', perMillionInputTokens: '', perMillionCachedInputTokens: '' },
  ...{ perMillionOutputTokens: '', perThousandCharacters: '', perMinute: '' },
};

/** More prices than fields can show at once. */
export const mostInFields = 100;

const amountSaid = (amount: number): string =>
  amount.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 6 });

function modelValuesOf({ provider = '', model = '', kind, ...amounts }: Schemas['ModelPrice']): ModelPriceValues {
  const said = modelUnits.flatMap(({ name }) => {
    const amount = amounts[name];
    return amount === undefined ? [] : [[name, amountSaid(amount)] as const];
  });
  return { ...noModelPrice, ...Object.fromEntries(said), provider, model, kind: kind ?? '' };
}

/** What fields show of the prices as they are. */
export const valuesOf = ({ currency = '', calls, models = [] }: Schemas['AccountPrices']): PricesValues => ({
  currency,
  models: models.length > mostInFields ? null : models.map(modelValuesOf),
  calls: calls.map(({ gatewayId = '', country = '', perMinute, incrementSeconds, minimumSeconds }) => ({
    ...{ gatewayId, country },
    perMinute: amountSaid(perMinute),
    ...{ incrementSeconds: String(incrementSeconds), minimumSeconds: String(minimumSeconds) },
  })),
});

/** A number that was typed; nothing of an empty field. What is none goes to the API, which says what is wrong with it. */
function numberIn<Name extends string>(name: Name, text: string): Partial<Record<Name, number>> {
  if (text === '') return {};
  const number = Number(text);
  return { [name]: Number.isNaN(number) ? text : number } as Partial<Record<Name, number>>;
}

/** The body of PUT, which replaces all prices. */
export const bodyOf = ({ currency, calls, models }: PricesValues): Schemas['PutAccountPrices'] => ({
  currency,
  ...(models === null ? {} : { models: models.map(modelBodyOf) }),
  calls: calls.map(
    ({ gatewayId, country, perMinute, incrementSeconds, minimumSeconds }) =>
      ({
        ...(gatewayId === '' ? {} : { gatewayId }),
        ...(country === '' ? {} : { country }),
        ...numberIn('perMinute', perMinute),
        ...numberIn('incrementSeconds', incrementSeconds),
        ...numberIn('minimumSeconds', minimumSeconds),
      }) as Schemas['PutCallPrice'],
  ),
});

const modelBodyOf = ({ provider, model, kind, ...amounts }: ModelPriceValues): Schemas['ModelPrice'] =>
  Object.assign(
    {
      ...(provider === '' ? {} : { provider }),
      ...(model === '' ? {} : { model }),
      ...(kind === '' ? {} : { kind }),
    },
    ...modelUnits.map(({ name }) => numberIn(name, amounts[name])),
  ) as Schemas['ModelPrice'];

const ofCall = /^calls\[\d+\](?:\.(?:gatewayId|country|perMinute|incrementSeconds|minimumSeconds))?$/;
const ofModel = new RegExp(
  `^models\\[\\d+\\](?:\\.(?:provider|model|kind|${modelUnits.map(({ name }) => name).join('|')}))?$`,
);

/** Whether a problem at this path of a request stands at a field. */
export const isAtField = (path: string): boolean => path === 'currency' || ofCall.test(path) || ofModel.test(path);
