import type { SpatialMode } from '#contract/spatial.ts'
import { distribution } from './distribution.ts'
import { dropOffs } from './drop-offs.ts'
import type { Mode } from './mode.ts'
import { parking } from './parking.ts'
import { trips } from './trips.ts'

/** All maps of shapes, by mode. */
export const modes: Readonly<Record<SpatialMode, Mode>> = {
  trips,
  parking,
  distribution,
  drop_offs: dropOffs,
}
