import type { CityFeature } from '../city.ts'
import { type Point, inRing } from '../plane/point.ts'

/** The polygons of an area feature, each a list of closed rings in degrees. */
export function polygonsOf({ geometry }: CityFeature): number[][][][] {
  if (geometry.type === 'Polygon') return [geometry.coordinates]
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : []
}

interface Outline {
  rings: readonly (readonly Point[])[]
  box: readonly [number, number, number, number]
}

const outlines = new WeakMap<CityFeature, Outline[]>()

/** Whether a feature covers a place in degrees. */
export function covers(feature: CityFeature, lon: number, lat: number): boolean {
  const known = outlines.get(feature) ?? polygonsOf(feature).map(outlineOf)
  outlines.set(feature, known)
  return known.some(({ rings, box: [west, south, east, north] }) => {
    if (lon < west || lon > east || lat < south || lat > north) return false
    return rings.reduce((inside, ring) => inside !== inRing(ring, lon, lat), false)
  })
}

function outlineOf(rings: readonly (readonly (readonly number[])[])[]): Outline {
  const [lons, lats] = [rings[0]!.map(([lon]) => lon!), rings[0]!.map(([, lat]) => lat!)]
  const points = rings.map((ring) => ring.map(([lon, lat]): Point => [lon!, lat!]))
  return { rings: points, box: [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)] }
}
