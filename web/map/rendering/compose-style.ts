import type { StyleSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl'
import { type MapScene, type SceneBasemap, ownBasemapLayers } from '../map-scene.ts'
import { type BasemapPalette, basemapPalette } from './basemap-palette.ts'
import { type BasemapStyle, buildBasemapStyle } from './basemap-style.ts'
import { fontFaces } from './fonts.ts'
import { tileLayerRole } from './tile-layer-role.ts'
import { buildTilesStyle } from './tiles-style.ts'

/** Prefix of the sources and layers of a style of another server, to avoid collisions. */
const prefix = 'city:'

const isStreet = (layer: LayerSpecification): boolean =>
  layer.type === 'line' &&
  'source-layer' in layer &&
  ['street', 'rail'].includes(tileLayerRole(layer['source-layer'] ?? ''))

/**
 * Converts the style of another server to a basemap: its labels are drawn above our data, its layers from the
 * first street on above our areas, and everything else below.
 */
function externalStyle({ sources, layers, sprite, glyphs }: StyleSpecification): BasemapStyle {
  const prefixedLayers = layers.map(
    (layer) =>
      ({
        ...layer,
        id: prefix + layer.id,
        ...('source' in layer && typeof layer.source === 'string' ? { source: prefix + layer.source } : {}),
      }) as LayerSpecification,
  )
  const drawings = prefixedLayers.filter(({ type }) => type !== 'symbol')
  const firstStreet = drawings.findIndex(isStreet)
  return {
    sources: Object.fromEntries(
      Object.entries(sources).map(([name, source]): [string, SourceSpecification] => [prefix + name, source]),
    ),
    base: firstStreet === -1 ? drawings : drawings.slice(0, firstStreet),
    streets: firstStreet === -1 ? [] : drawings.slice(firstStreet),
    labels: prefixedLayers.filter(({ type }) => type === 'symbol'),
    assets: { ...(sprite === undefined ? {} : { sprite }), ...(glyphs === undefined ? {} : { glyphs }) },
  }
}

function buildBasemap(basemap: SceneBasemap, colors: BasemapPalette): BasemapStyle {
  if ('kind' in basemap && basemap.kind === 'tiles') return buildTilesStyle(basemap, colors)
  if ('kind' in basemap && basemap.kind === 'style') return externalStyle(basemap.style)
  return buildBasemapStyle(ownBasemapLayers(basemap), colors)
}

/** Opacity of streets above areas, so that the areas and their colors remain prominent. */
const streetOpacityAboveAreas = 0.4

const fadeStreets = (layer: LayerSpecification): LayerSpecification =>
  layer.type === 'line'
    ? { ...layer, paint: { ...layer.paint, 'line-opacity': streetOpacityAboveAreas } }
    : layer

/** Builds the style of a map: basemap, layer drawings, labels. MapLibre applies only the differences. */
export function composeStyle({
  basemap,
  scheme,
  layers,
}: Pick<MapScene, 'basemap' | 'scheme' | 'layers'>): StyleSpecification {
  const basemapParts = buildBasemap(basemap, basemapPalette[scheme])
  const areas = layers.flatMap((layer) => layer.areas ?? [])
  return {
    version: 8,
    ...basemapParts.assets,
    'font-faces': fontFaces(),
    sources: Object.fromEntries([basemapParts, ...layers].flatMap(({ sources }) => Object.entries(sources))),
    layers: [
      ...basemapParts.base,
      ...areas,
      ...(areas.length > 0 ? basemapParts.streets.map(fadeStreets) : basemapParts.streets),
      ...layers.flatMap(({ drawings }) => drawings),
      ...basemapParts.labels,
      ...layers.flatMap(({ labels }) => labels),
    ],
  }
}

/** Id of the first label layer; drawings are inserted before it. */
export const firstLabelId = (style: StyleSpecification): string | undefined =>
  style.layers.find((layer) => layer.type === 'symbol')?.id
