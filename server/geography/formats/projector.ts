/** Converts coordinates of a file to longitude and latitude in degrees (WGS 84). */
export type Projector = (x: number, y: number) => [number, number]
