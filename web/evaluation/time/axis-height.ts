/** Pixels that a time axis takes from the map above it. */
export const axisHeight = 110
