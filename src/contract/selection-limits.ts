/** How many ids a selection may hold at most, from the interface's table of limits. */
export const FOLDERS_MAX = 10
export const CHANNELS_MAX = 50
