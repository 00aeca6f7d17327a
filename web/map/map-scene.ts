import type { Scheme } from '#web/kit/theme.ts'
import type { DrawingBoard } from './drawing-tools/drawing-board.ts'
import type { HeatPoints } from './layers/heat-points.ts'
import type { MapLayer } from './map-layer.ts'
import type { SceneBasemap } from './scene-basemap.ts'

/** All that a map shows: the one thing that the bridge is fed. */
export interface MapScene {
  scheme: Scheme
  basemap: SceneBasemap
  layer: MapLayer | null
  heat: HeatPoints | null
  selected: string | null
  /** What is drawn with, where somebody draws. */
  board?: DrawingBoard | null
}
