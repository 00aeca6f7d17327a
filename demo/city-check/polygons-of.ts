import type { CityFeature } from '../city.ts'

/** The polygons of an area feature, each a list of closed rings in degrees. */
export function polygonsOf({ geometry }: CityFeature): number[][][][] {
  if (geometry.type === 'Polygon') return [geometry.coordinates]
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : []
}
