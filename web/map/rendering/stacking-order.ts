import type { Shape } from '#contract/geography.ts'
import { isArea, getPolygons, type Box, type Position } from '#contract/place.ts'
import { boundingBox } from './bounding-box.ts'
import { innerPoint, isInside } from './inner-point.ts'

/** Areas are a stack if on average more than this cover a position; slightly overlapping borders do not count. */
const stackThreshold = 1.25
/** Maximum number of positions at which overlaps are counted. */
const maxSamples = 100
const stackCache = new WeakMap<readonly Shape[], readonly string[] | null>()

/** Ids of overlapping areas from the largest to the smallest, as they are drawn; null without any overlap. */
export function stackingOrder(shapes: readonly Shape[] | null): readonly string[] | null {
  if (!shapes) return null
  if (!stackCache.has(shapes)) stackCache.set(shapes, computeStackingOrder(shapes))
  return stackCache.get(shapes) ?? null
}

function computeStackingOrder(shapes: readonly Shape[]): readonly string[] | null {
  const areas = shapes.flatMap(({ shape_uuid, geom }) => {
    const box = isArea(geom) ? boundingBox(geom) : null
    return box && isArea(geom) ? [{ id: shape_uuid, geom, box }] : []
  })
  const step = Math.max(1, Math.ceil(areas.length / maxSamples))
  const samplePoints = areas
    .filter((_, index) => index % step === 0)
    .flatMap(({ geom }): Position[] => {
      const inner = innerPoint(geom)
      return inner ? [inner.point] : []
    })
  const coverCount = samplePoints.reduce(
    (sum, point) =>
      sum +
      areas.filter(({ box, geom }) => isInBox(point, box) && isInside(point, getPolygons(geom).flat()))
        .length,
    0,
  )
  if (coverCount <= stackThreshold * samplePoints.length) return null
  return areas
    .map(({ id, geom }) => ({ id, size: innerPoint(geom)?.size ?? 0 }))
    .toSorted((a, b) => b.size - a.size)
    .map(({ id }) => id)
}

const isInBox = ([x, y]: Position, [west, south, east, north]: Box): boolean =>
  x >= west && x <= east && y >= south && y <= north
