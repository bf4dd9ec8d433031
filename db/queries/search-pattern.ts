/** Pattern for ILIKE that finds a text anywhere, each of its characters standing for itself. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
