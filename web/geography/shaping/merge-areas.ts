import UnaryUnionOp from 'jsts/org/locationtech/jts/operation/union/UnaryUnionOp.js'
import OverlayOp from 'jsts/org/locationtech/jts/operation/overlay/OverlayOp.js'
import SnapIfNeededOverlayOp from 'jsts/org/locationtech/jts/operation/overlay/snap/SnapIfNeededOverlayOp.js'
import type { Area } from '#contract/place.ts'
import { fromJts } from './from-jts.ts'
import { toJts } from './to-jts.ts'

/** Both areas as one, the border between them gone; those that do not touch become parts of one. */
export function mergeAreas(a: Area, b: Area): Area {
  const merged = SnapIfNeededOverlayOp.overlayOp(
    UnaryUnionOp.union(toJts.area(a)),
    UnaryUnionOp.union(toJts.area(b)),
    OverlayOp.UNION,
  )
  return fromJts(merged) ?? a
}
