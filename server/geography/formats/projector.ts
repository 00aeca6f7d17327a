/** From the coordinates of a file to longitude and latitude, WGS 84, degrees. */
export type Projector = (x: number, y: number) => [number, number]
