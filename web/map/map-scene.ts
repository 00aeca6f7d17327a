import type { Scheme } from '#web/kit/theme.ts'
import type { DrawingBoard } from './drawing-tools/drawing-board.ts'
import type { HeatPoints } from './layers/heat-points.ts'
import type { MapLayer } from './map-layer.ts'
import type { SceneBasemap } from './scene-basemap.ts'

/** Everything that a map shows; the only input of MapBridge. */
export interface MapScene {
  scheme: Scheme
  basemap: SceneBasemap
  layer: MapLayer | null
  heat: HeatPoints | null
  selected: string | null
  /** State of the drawing tools while the user draws. */
  board?: DrawingBoard | null
}
