import OverlayOp from 'jsts/org/locationtech/jts/operation/overlay/OverlayOp.js'
import SnapIfNeededOverlayOp from 'jsts/org/locationtech/jts/operation/overlay/snap/SnapIfNeededOverlayOp.js'
import type { Area } from '#contract/place.ts'
import { fromJts } from './from-jts.ts'
import { toJts } from './to-jts.ts'

/** What is left of an area without `taken`: a hole where that lies inside, less of it where it lies at the edge; null where nothing is left. */
export const cutArea = (area: Area, taken: Area): Area | null =>
  fromJts(SnapIfNeededOverlayOp.overlayOp(toJts.area(area), toJts.area(taken), OverlayOp.DIFFERENCE))
