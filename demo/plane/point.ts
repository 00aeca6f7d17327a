/** A place in metres east and north of the middle of the city. */
export type Point = readonly [number, number]
