import type { BasemapShape } from '#contract/basemap.ts'

const isPosition = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length === 2 &&
  typeof value[0] === 'number' &&
  typeof value[1] === 'number' &&
  Math.abs(value[0]) <= 180 &&
  Math.abs(value[1]) <= 90

const areAll = (value: unknown, least: number, fits: (each: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length >= least && value.every(fits)

const isLine = (value: unknown): boolean => areAll(value, 2, isPosition)

const isRing = (value: unknown): boolean => {
  if (!areAll(value, 4, isPosition)) return false
  const ring = value as number[][]
  return ring[0]?.[0] === ring.at(-1)?.[0] && ring[0]?.[1] === ring.at(-1)?.[1]
}

const isPolygon = (value: unknown): boolean => areAll(value, 1, isRing)

/** What is wrong with the coordinates of a shape; null where they are what its type says. */
export function geometryFault({ type, coordinates }: BasemapShape['geometry']): string | null {
  switch (type) {
    case 'Point':
      return isPosition(coordinates) ? null : 'a point must be a longitude and a latitude'
    case 'LineString':
      return isLine(coordinates) ? null : 'a line must have two positions or more'
    case 'Polygon':
      return isPolygon(coordinates) ? null : 'a polygon must have closed rings of four positions or more'
    case 'MultiPolygon':
      return areAll(coordinates, 1, isPolygon)
        ? null
        : 'each polygon must have closed rings of four positions or more'
  }
}
