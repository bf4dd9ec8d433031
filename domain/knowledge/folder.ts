/** How deep folders go: one at the top is at level 1. */
export const mostFolderLevels = 3;

/** What stands for the top, where a folder's id is asked for. */
export const topFolder = 'root';
