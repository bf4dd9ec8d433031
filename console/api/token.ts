/** Where this tab keeps the token: until it is closed, and for this origin alone. No address ever holds it. */
const place = 'outdial.token';

let token: string | null = sessionStorage.getItem(place);

/** The token that requests are sent with; null: nobody is signed in. */
export const currentToken = (): string | null => token;

/** Uses a token from now on; null forgets it. */
export function keepToken(next: string | null): void {
  token = next;
  if (next === null) sessionStorage.removeItem(place);
  else sessionStorage.setItem(place, next);
}
