import type { StyleSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl'
import { type MapScene, type SceneBasemap, ownBasemapLayers } from '../map-scene.ts'
import { type BasemapPalette, basemapPalette } from './basemap-palette.ts'
import { type BasemapStyle, buildBasemapStyle } from './basemap-style.ts'
import { fontFaces } from './fonts.ts'
import { buildTilesStyle } from './tiles-style.ts'

/** Prefix of the sources and layers of a style of another server, to avoid collisions. */
const prefix = 'city:'

/**
 * Converts the style of another server to a basemap; its labels are above our data, everything else below.
 */
function externalStyle({ sources, layers, sprite, glyphs }: StyleSpecification): BasemapStyle {
  const prefixed = layers.map(
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
    base: prefixed.filter(({ type }) => type !== 'symbol'),
    streets: [],
    labels: prefixed.filter(({ type }) => type === 'symbol'),
    assets: { ...(sprite === undefined ? {} : { sprite }), ...(glyphs === undefined ? {} : { glyphs }) },
  }
}

function basemapStyleOf(basemap: SceneBasemap, colors: BasemapPalette): BasemapStyle {
  if ('kind' in basemap && basemap.kind === 'tiles') return buildTilesStyle(basemap, colors)
  if ('kind' in basemap && basemap.kind === 'style') return externalStyle(basemap.style)
  return buildBasemapStyle(ownBasemapLayers(basemap), colors)
}

/**
 * Builds the whole style of a map: basemap, drawings of the layer, labels. MapLibre applies only the
 * differences from the previous style.
 */
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

/** Id of the first label layer; drawings are inserted before it. */
export const firstLabelId = (style: StyleSpecification): string | undefined =>
  style.layers.find((each) => each.type === 'symbol')?.id
