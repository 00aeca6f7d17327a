import type { StyleSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl'
import type { MapScene } from '../map-scene.ts'
import { ownBasemapLayers, type SceneBasemap } from '../scene-basemap.ts'
import { type BasemapPalette, basemapPalette } from './basemap-palette.ts'
import { type BasemapStyle, buildBasemapStyle } from './basemap-style.ts'
import { fontFaces } from './fonts.ts'
import { buildTilesStyle } from './tiles-style.ts'

/** Begins the names of all that another server's style brings, so that they are none of ours. */
const prefix = 'city:'

/** The style of another server as the ground of ours: its labels stand over what we draw, all else under it. */
function externalStyle({ sources, layers, sprite, glyphs }: StyleSpecification): BasemapStyle {
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
    base: own.filter(({ type }) => type !== 'symbol'),
    streets: [],
    labels: own.filter(({ type }) => type === 'symbol'),
    assets: { ...(sprite === undefined ? {} : { sprite }), ...(glyphs === undefined ? {} : { glyphs }) },
  }
}

function basemapStyleOf(basemap: SceneBasemap, colors: BasemapPalette): BasemapStyle {
  if ('kind' in basemap && basemap.kind === 'tiles') return buildTilesStyle(basemap, colors)
  if ('kind' in basemap && basemap.kind === 'style') return externalStyle(basemap.style)
  return buildBasemapStyle(ownBasemapLayers(basemap), colors)
}

/** The whole style of a map: ground, the layer's drawings, streets, labels. The map applies only what differs from the style before. */
export function composeStyle({
  basemap,
  scheme,
  layer,
}: Pick<MapScene, 'basemap' | 'scheme' | 'layer'>): StyleSpecification {
  const basemapParts = basemapStyleOf(basemap, basemapPalette[scheme])
  return {
    version: 8,
    ...basemapParts.assets,
    'font-faces': fontFaces(),
    sources: { ...basemapParts.sources, ...layer?.sources },
    layers: [
      ...basemapParts.base,
      ...basemapParts.streets,
      ...(layer?.drawings ?? []),
      ...basemapParts.labels,
      ...(layer?.labels ?? []),
    ],
  }
}

/** Drawings that belong under every label stand before this layer. */
export const firstLabelId = (style: StyleSpecification): string | undefined =>
  style.layers.find((each) => each.type === 'symbol')?.id
