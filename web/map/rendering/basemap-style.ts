import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
import { landLayers, parkLabels, parkLayers, waterLabels, waterLayers } from './area-layers.ts'
import type { BasemapLayer } from '../map-scene.ts'
import type { BasemapPalette } from './basemap-palette.ts'
import type { LayerSource } from './style-expressions.ts'
import { ownPlaceClass, placeLabels } from './place-labels.ts'
import { ownStreetClass, railLayers, streetLabels, streetLayers } from './street-layers.ts'

/** Sources and layers of a basemap, in the groups between which data is drawn. */
export interface BasemapStyle {
  sources: Record<string, SourceSpecification>
  base: LayerSpecification[]
  streets: LayerSpecification[]
  labels: LayerSpecification[]
  /** Sprite and glyphs of the style of another server. */
  assets?: Pick<StyleSpecification, 'sprite' | 'glyphs'>
}

/** Tiles of this zoom are overzoomed beyond it. */
export const maxTileZoom = 15

/** Builds the basemap from the layers of a region; without layers, a plain background. */
export function buildBasemapStyle(layers: readonly BasemapLayer[], colors: BasemapPalette): BasemapStyle {
  const sources = layers.map((layer, index): BasemapLayer & LayerSource => ({
    ...layer,
    id: `basemap:${layer.role}:${index}`,
    source: `basemap:${layer.role}:${index}`,
    sourceLayer: 'shapes',
    name: ['coalesce', ['get', 'name'], ''],
  }))
  const layersWithRole = (role: BasemapLayer['role']) => sources.filter((layer) => layer.role === role)
  return {
    sources: Object.fromEntries(
      sources.map(({ source, tiles, attribution }) => [
        source,
        { type: 'vector', tiles: [tiles], maxzoom: maxTileZoom, ...(attribution ? { attribution } : {}) },
      ]),
    ),
    base: [
      {
        id: 'ground',
        type: 'background',
        paint: { 'background-color': layersWithRole('land').length > 0 ? colors.background : colors.land },
      },
      ...layersWithRole('land').flatMap((layer) => landLayers(layer, colors)),
      ...layersWithRole('park').flatMap((layer) => parkLayers(layer, colors)),
      ...layersWithRole('water').flatMap((layer) => waterLayers(layer, colors)),
    ],
    streets: [
      ...layersWithRole('street').flatMap((layer) => streetLayers(layer, colors, ownStreetClass)),
      ...layersWithRole('rail').flatMap((layer) => railLayers(layer, colors)),
    ],
    labels: [
      ...layersWithRole('park').flatMap((layer) => parkLabels(layer, colors)),
      ...layersWithRole('water').flatMap((layer) => waterLabels(layer, colors)),
      ...layersWithRole('street').flatMap((layer) => streetLabels(layer, colors, ownStreetClass)),
      ...layersWithRole('place').flatMap((layer) => placeLabels(layer, colors, ownPlaceClass)),
    ],
  }
}
