import UnaryUnionOp from 'jsts/org/locationtech/jts/operation/union/UnaryUnionOp.js'
import { polygonsOf, type Area } from '#contract/place.ts'
import { facesOf } from './faces-of.ts'
import { fromJts } from './from-jts.ts'
import { isInside } from '#web/map/drawing/is-inside.ts'
import { mergeAreas } from './merge-areas.ts'
import { toJts } from './to-jts.ts'

/** An area whose outlines cross themselves or one another as one that is valid: cut at the crossings, what was inside an odd number of times stays inside. Null where nothing is left. */
export function mendArea(area: Area): Area | null {
  const mended = polygonsOf(area).map((rings) =>
    fromJts(
      ...facesOf(rings)
        .filter(({ inside }) => isInside(inside, rings))
        .map((face) => face.area),
    ),
  )
  const parts = mended
    .filter((each) => each !== null)
    .map((each) => fromJts(UnaryUnionOp.union(toJts.area(each))))
    .filter((each) => each !== null)
  return parts.length === 0 ? null : parts.reduce(mergeAreas)
}
