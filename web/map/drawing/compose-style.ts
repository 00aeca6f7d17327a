import type { StyleSpecification } from 'maplibre-gl'
import type { MapScene } from '../map-scene.ts'
import { basemapPalette } from './basemap-palette.ts'
import { basemapStyle } from './basemap-style.ts'
import { fontFaces } from './fonts.ts'

/** The whole style of a map: ground, the layer's drawings, streets, labels. The map applies only what differs from the style before. */
export function composeStyle({ basemap, scheme, layer }: Pick<MapScene, 'basemap' | 'scheme' | 'layer'>): StyleSpecification {
  const base = basemapStyle(basemap, basemapPalette[scheme])
  return {
    version: 8,
    'font-faces': fontFaces(),
    sources: { ...base.sources, ...layer?.sources },
    layers: [...base.ground, ...base.streets, ...(layer?.drawings ?? []), ...base.labels, ...(layer?.labels ?? [])],
  }
}

/** Drawings that belong under every label stand before this layer. */
export const firstLabelOf = (style: StyleSpecification): string | undefined => style.layers.find((each) => each.type === 'symbol')?.id
