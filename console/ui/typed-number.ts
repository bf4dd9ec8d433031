/** A number that was typed. What is none goes to the API as it is, which says what is wrong with it. */
export function typedNumber(text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isNaN(number) ? (text as unknown as number) : number;
}
