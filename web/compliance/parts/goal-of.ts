import type { Layer, Shape } from '#contract/geography.ts'
import type { Box } from '#contract/place.ts'
import { boxOf } from '#web/map/drawing/box-of.ts'

/** Where a policy holds, as far as a map must know. */
export interface CoveredShapes {
  layer: Layer | null
  /** Null: all of the layer. */
  covered: readonly string[] | null
}

/** Where a map goes first: around what is covered, else around the layer. */
export function goalOf(
  { layer, covered }: CoveredShapes,
  shapes: readonly Shape[] | null,
): { box: Box; least: number } | null {
  const boxes = (covered?.length ? (shapes ?? []).filter(({ shape_uuid: id }) => covered.includes(id)) : [])
    .map(({ geom }) => boxOf(geom))
    .filter((each) => each !== null)
  const around: Box | null = boxes.length
    ? boxes.reduce((a, b) => [
        Math.min(a[0], b[0]),
        Math.min(a[1], b[1]),
        Math.max(a[2], b[2]),
        Math.max(a[3], b[3]),
      ])
    : (layer?.bbox ?? null)
  return around && { box: around, least: 0 }
}
