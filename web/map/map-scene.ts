import type { Scheme } from '#web/kit/theme.ts'
import type { BasemapLayer } from './drawing/basemap-layer.ts'
import type { HeatPoints } from './layers/heat-points.ts'
import type { MapLayer } from './map-layer.ts'

/** All that a map shows: the one thing that the bridge is fed. */
export interface MapScene {
  scheme: Scheme
  basemap: readonly BasemapLayer[]
  layer: MapLayer | null
  heat: HeatPoints | null
  selected: string | null
}
