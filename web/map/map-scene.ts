import type { StyleSpecification } from 'maplibre-gl'
import type { Box } from '#contract/place.ts'
import { type BasemapRole, basemapRoles } from '#contract/basemap.ts'
import type { Scheme } from '#web/kit/theme.ts'
import type { DrawingBoard } from './drawing-tools/drawing-board.ts'
import type { HeatPoints } from './layers/heat-points.ts'
import type { MapLayer } from './map-layer.ts'

/** Everything that a map shows; the only input of MapBridge. */
export interface MapScene {
  scheme: Scheme
  basemap: SceneBasemap
  /** From bottom to top. Shape ids are unique across all layers. */
  layers: readonly MapLayer[]
  heat: HeatPoints | null
  selected: string | null
  /** State of the drawing tools while the user draws. */
  board?: DrawingBoard | null
}

/** What is drawn below the data: layers of the region, tiles of the deployment, or the style of another server. */
export type SceneBasemap = readonly BasemapLayer[] | FallbackBasemap | TilesBasemap | StyleBasemap

/** Layers of the region as a fallback, because the basemap of the deployment cannot be drawn. */
export interface FallbackBasemap {
  kind: 'own'
  layers: readonly BasemapLayer[]
  problem: BasemapProblem
}

/** Why the style of another server is not drawn. */
export interface BasemapProblem {
  reason: 'unreachable' | 'no_style' | 'other_host'
  /** That server, or another one that the style refers to. */
  host: string
}

/** Vector tiles in one file, with any layers. */
export interface TilesBasemap {
  kind: 'tiles'
  /** URL template with {z}, {x} and {y}. */
  tiles: string
  /** Names of the tile layers; empty if unknown. */
  layers: readonly string[]
  attribution: string
  minZoom: number
  maxZoom: number
  bounds: Box
}

export interface StyleBasemap {
  kind: 'style'
  style: StyleSpecification
}

/** Returns the layers of the region that are part of the basemap. */
export function ownBasemapLayers(basemap: SceneBasemap): readonly BasemapLayer[] {
  if (!('kind' in basemap)) return basemap
  return basemap.kind === 'own' ? basemap.layers : []
}

export interface BasemapLayer {
  role: BasemapRole
  /** URL template with {z}, {x} and {y}. */
  tiles: string
  /** Required attribution. */
  attribution?: string | null
}

/** Role of a level such as `basemap:park`; null for other levels. */
export const parseBasemapRole = (level: string | null): BasemapRole | null =>
  basemapRoles.find((role) => level === `basemap:${role}`) ?? null
