const format = new Intl.NumberFormat('en-US');

/** A whole number for people: `1,204`. */
export const figure = (value: number): string => format.format(value);

/** `1 call`, `2 calls` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${figure(count)} ${count === 1 ? one : many}`;
