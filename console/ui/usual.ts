/** How many lines a page of a list has if the address does not say. */
export const usualPerPage = 20;
