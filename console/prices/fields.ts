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

/** The prices of the account as fields have them. */
export interface PricesValues {
  readonly currency: string;
  readonly calls: readonly PriceValues[];
}

export const noPrice: PriceValues = {
  ...{ gatewayId: '', country: '', perMinute: '' },
  ...{ incrementSeconds: '1', minimumSeconds: '1' },
};

/** More prices than fields can show at once. */
export const mostInFields = 100;

/** What fields show of the prices as they are. */
export const valuesOf = ({ currency = '', calls }: Schemas['AccountPrices']): PricesValues => ({
  currency,
  calls: calls.map(({ gatewayId = '', country = '', perMinute, incrementSeconds, minimumSeconds }) => ({
    ...{ gatewayId, country },
    perMinute: perMinute.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 6 }),
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
export const bodyOf = ({ currency, calls }: PricesValues): Schemas['PutAccountPrices'] => ({
  currency,
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

const shown = /^(?:currency|calls\[\d+\](?:\.(?:gatewayId|country|perMinute|incrementSeconds|minimumSeconds))?)$/;

/** Whether a problem at this path of a request stands at a field. */
export const isAtField = (path: string): boolean => shown.test(path);
