import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
import { landLayers, parkLabels, parkLayers, waterLabels, waterLayers } from './area-layers.ts'
import type { BasemapLayer } from './basemap-layer.ts'
import type { BasemapPalette } from './basemap-palette.ts'
import type { LayerSource } from './layer-source.ts'
import { ownPlaceClass, placeLabels } from './place-labels.ts'
import { ownStreetClass, railLayers, streetLabels, streetLayers } from './street-layers.ts'

export interface BasemapStyle {
  sources: Record<string, SourceSpecification>
  base: LayerSpecification[]
  streets: LayerSpecification[]
  labels: LayerSpecification[]
  /** What the style of another server brings beside its layers. */
  assets?: Pick<StyleSpecification, 'sprite' | 'glyphs'>
}

/** Tiles beyond this zoom are the same shapes drawn larger. */
export const maxTileZoom = 15

/** The ground of a region from its own layers; a plain quiet one where it has none. */
export function buildBasemapStyle(layers: readonly BasemapLayer[], colors: BasemapPalette): BasemapStyle {
  const drawn = layers.map((layer, at): BasemapLayer & LayerSource => ({
    ...layer,
    id: `basemap:${layer.role}:${at}`,
    source: `basemap:${layer.role}:${at}`,
    sourceLayer: 'shapes',
    name: ['coalesce', ['get', 'name'], ''],
  }))
  const of = (role: BasemapLayer['role']) => drawn.filter((layer) => layer.role === role)
  return {
    sources: Object.fromEntries(
      drawn.map(({ source, tiles, attribution }) => [
        source,
        { type: 'vector', tiles: [tiles], maxzoom: maxTileZoom, ...(attribution ? { attribution } : {}) },
      ]),
    ),
    base: [
      {
        id: 'ground',
        type: 'background',
        paint: { 'background-color': of('land').length > 0 ? colors.background : colors.land },
      },
      ...of('land').flatMap((each) => landLayers(each, colors)),
      ...of('park').flatMap((each) => parkLayers(each, colors)),
      ...of('water').flatMap((each) => waterLayers(each, colors)),
    ],
    streets: [
      ...of('street').flatMap((each) => streetLayers(each, colors, ownStreetClass)),
      ...of('rail').flatMap((each) => railLayers(each, colors)),
    ],
    labels: [
      ...of('park').flatMap((each) => parkLabels(each, colors)),
      ...of('water').flatMap((each) => waterLabels(each, colors)),
      ...of('street').flatMap((each) => streetLabels(each, colors, ownStreetClass)),
      ...of('place').flatMap((each) => placeLabels(each, colors, ownPlaceClass)),
    ],
  }
}
