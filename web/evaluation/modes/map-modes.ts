import type { SpatialMode } from '#contract/spatial.ts'
import { distributionMode } from './distribution-mode.ts'
import { dropOffsMode } from './drop-offs-mode.ts'
import type { MapMode } from './map-mode.ts'
import { parkingMode } from './parking-mode.ts'
import { tripsMode } from './trips-mode.ts'

/** Every map of values by shape. A new one is one file beside this one and one line here. */
export const mapModes: Readonly<Record<SpatialMode, MapMode>> = {
  trips: tripsMode,
  parking: parkingMode,
  distribution: distributionMode,
  drop_offs: dropOffsMode,
}
