import type { StyleSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl'
import type { MapScene } from '../map-scene.ts'
import { ownLayersOf, type SceneBasemap } from '../scene-basemap.ts'
import { type BasemapPalette, basemapPalette } from './basemap-palette.ts'
import { type BasemapStyle, basemapStyle } from './basemap-style.ts'
import { fontFaces } from './fonts.ts'
import { tilesStyle } from './tiles-style.ts'

/** Begins the names of all that another server's style brings, so that they are none of ours. */
const prefix = 'city:'

/** The style of another server as the ground of ours: its labels stand over what we draw, all else under it. */
function foreignStyle({ sources, layers, sprite, glyphs }: StyleSpecification): BasemapStyle {
  const own = layers.map(
    (layer) =>
      ({
        ...layer,
        id: prefix + layer.id,
        ...('source' in layer && typeof layer.source === 'string' ? { source: prefix + layer.source } : {}),
      }) as LayerSpecification,
  )
  return {
    sources: Object.fromEntries(
      Object.entries(sources).map(([name, source]): [string, SourceSpecification] => [prefix + name, source]),
    ),
    ground: own.filter(({ type }) => type !== 'symbol'),
    streets: [],
    labels: own.filter(({ type }) => type === 'symbol'),
    rest: { ...(sprite === undefined ? {} : { sprite }), ...(glyphs === undefined ? {} : { glyphs }) },
  }
}

function groundOf(basemap: SceneBasemap, colors: BasemapPalette): BasemapStyle {
  if ('kind' in basemap && basemap.kind === 'tiles') return tilesStyle(basemap, colors)
  if ('kind' in basemap && basemap.kind === 'style') return foreignStyle(basemap.style)
  return basemapStyle(ownLayersOf(basemap), colors)
}

/** The whole style of a map: ground, the layer's drawings, streets, labels. The map applies only what differs from the style before. */
export function composeStyle({
  basemap,
  scheme,
  layer,
}: Pick<MapScene, 'basemap' | 'scheme' | 'layer'>): StyleSpecification {
  const base = groundOf(basemap, basemapPalette[scheme])
  return {
    version: 8,
    ...base.rest,
    'font-faces': fontFaces(),
    sources: { ...base.sources, ...layer?.sources },
    layers: [
      ...base.ground,
      ...base.streets,
      ...(layer?.drawings ?? []),
      ...base.labels,
      ...(layer?.labels ?? []),
    ],
  }
}

/** Drawings that belong under every label stand before this layer. */
export const firstLabelOf = (style: StyleSpecification): string | undefined =>
  style.layers.find((each) => each.type === 'symbol')?.id
