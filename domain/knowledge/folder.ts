/** How deep folders go: one at the top is at level 1. */
export const mostFolderLevels = 3;

/** Means the top, in place of a folder's id. */
export const topFolder = 'root';
