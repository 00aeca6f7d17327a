import type { StyleSpecification } from 'maplibre-gl'
import type { Box } from '#contract/place.ts'
import type { BasemapLayer } from './drawing/basemap-layer.ts'

/** What is drawn under a map: the region's own layers, tiles of the deployment or the style of another server. */
export type SceneBasemap = readonly BasemapLayer[] | FallbackBasemap | TilesBasemap | StyleBasemap

/** The region's own layers, because the deployment's basemap cannot be drawn. */
export interface FallbackBasemap {
  kind: 'own'
  layers: readonly BasemapLayer[]
  problem: BasemapProblem
}

/** Why the style of another server is not drawn; `host`: that server, or the one that it sends to. */
export interface BasemapProblem {
  reason: 'unreachable' | 'no_style' | 'other_host'
  host: string
}

/** Vector tiles in one file, in whatever layers they have. */
export interface TilesBasemap {
  kind: 'tiles'
  /** Address of a tile, with {z}, {x} and {y}. */
  tiles: string
  /** Names of the tiles' layers; empty where nobody says. */
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

/** The region's own layers, where they are drawn. */
export const ownBasemapLayers = (basemap: SceneBasemap): readonly BasemapLayer[] =>
  !('kind' in basemap) ? basemap : basemap.kind === 'own' ? basemap.layers : []
